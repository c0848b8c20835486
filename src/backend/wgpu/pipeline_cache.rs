//! The driver's pipeline cache, kept in a file between runs.
//!
//! The file is a magic word, the SHA-256 of the rest, the adapter key and the blob: drivers trust the blob, so a
//! torn or foreign file must not reach them.

#![expect(clippy::disallowed_methods, reason = "the cache is a file of the machine, not of the program")]

use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"RPLYPC01";

/// A `wgpu::PipelineCache` and where it is kept.
#[derive(Debug)]
pub struct CacheFile {
    /// `None` when the adapter has no cache.
    pub cache: Option<wgpu::PipelineCache>,
    path: Option<PathBuf>,
    key: String,
}

impl CacheFile {
    /// Reads the file at `path` if it fits this adapter and driver, else starts empty.
    pub fn open(device: &wgpu::Device, info: &wgpu::AdapterInfo, path: Option<&Path>) -> Self {
        let key = format!(
            "{} {} {} {}",
            wgpu::util::pipeline_cache_key(info).unwrap_or_default(),
            info.name,
            info.driver,
            info.driver_info
        );
        let data = path.and_then(|path| std::fs::read(path).ok()).and_then(|file| unpack(&file, &key));
        let cache = device.features().contains(wgpu::Features::PIPELINE_CACHE).then(|| {
            // SAFETY: the data is what `get_data` gave for the same adapter and driver, whole (its hash fits), or none.
            unsafe {
                device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor {
                    label: None,
                    data: data.as_deref(),
                    fallback: true,
                })
            }
        });
        Self { cache, path: path.map(Path::to_owned), key }
    }

    /// Writes the cache beside its file and renames it into place.
    pub fn save(&self) -> std::io::Result<()> {
        let (Some(cache), Some(path)) = (&self.cache, &self.path) else { return Ok(()) };
        let Some(data) = cache.get_data() else { return Ok(()) };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&pack(&data, &self.key))?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

fn pack(data: &[u8], key: &str) -> Vec<u8> {
    let mut body = Vec::with_capacity(4 + key.len() + data.len());
    body.extend_from_slice(&(key.len() as u32).to_le_bytes());
    body.extend_from_slice(key.as_bytes());
    body.extend_from_slice(data);
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&Sha256::digest(&body));
    file.extend_from_slice(&body);
    file
}

fn unpack(file: &[u8], key: &str) -> Option<Vec<u8>> {
    let rest = file.strip_prefix(MAGIC)?;
    let (hash, body) = rest.split_at_checked(32)?;
    if Sha256::digest(body).as_slice() != hash {
        return None;
    }
    let (len, body) = body.split_at_checked(4)?;
    let (stored_key, data) = body.split_at_checked(u32::from_le_bytes(len.try_into().ok()?) as usize)?;
    (stored_key == key.as_bytes()).then(|| data.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_survives_only_whole_and_for_its_own_driver() {
        let file = pack(&[1, 2, 3], "lavapipe 1");
        assert_eq!(unpack(&file, "lavapipe 1"), Some(vec![1, 2, 3]));
        assert_eq!(unpack(&file, "lavapipe 2"), None);
        assert_eq!(unpack(&file[..file.len() - 1], "lavapipe 1"), None);
        let mut torn = file.clone();
        *torn.last_mut().expect("not empty") ^= 1;
        assert_eq!(unpack(&torn, "lavapipe 1"), None);
        assert_eq!(unpack(b"", "lavapipe 1"), None);
    }
}
