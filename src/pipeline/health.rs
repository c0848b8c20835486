//! What this machine has for rendering, and what it lacks.

use serde::{Deserialize, Serialize};

/// One thing looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    pub name: String,
    pub ok: bool,
    /// What was found, or why not.
    pub found: String,
    /// The command that mends it, or betters what is there.
    pub fix: Option<String>,
}

/// Everything looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    pub items: Vec<Item>,
}

impl Health {
    /// Looks at the engine and the machine; `adapter` is part of the name of the adapter wanted.
    pub fn examine(adapter: Option<&str>) -> Self {
        let found = |name: &str, found: String| Item { name: name.to_owned(), ok: true, found, fix: None };
        let mut items = vec![found("replay", env!("CARGO_PKG_VERSION").to_owned())];
        #[cfg(feature = "js")]
        items.push(found("V8", crate::runtime::v8_version().to_owned()));
        items.push(vulkan(adapter));
        items.push(found("encoders", "openh264 (H.264), rav1e (AV1), FDK AAC: built in".to_owned()));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        items.push(found("cores", cores.to_string()));
        Self { items }
    }

    /// Can this machine render?
    pub fn ok(&self) -> bool {
        self.items.iter().all(|item| item.ok)
    }
}

#[cfg(feature = "gpu")]
fn vulkan(adapter: Option<&str>) -> Item {
    use crate::backend::wgpu::{DeviceOptions, WgpuDevice};
    use crate::gl::backend::BackendError;
    let options = DeviceOptions { adapter: adapter.map(str::to_owned), ..DeviceOptions::default() };
    let name = "adapter".to_owned();
    match WgpuDevice::open(&options) {
        Ok(device) => {
            let caps = device.caps();
            let found = format!("{} by {}, driver {}", caps.renderer, caps.vendor, caps.driver);
            let fix =
                "tools/setup takes lavapipe of Mesa 25 from bookworm-backports, which draws in about 60 % of the time";
            Item { name, ok: true, found, fix: device.is_old_lavapipe().then(|| fix.to_owned()) }
        }
        Err(error) => {
            let fix = match error {
                BackendError::NoSuchAdapter { .. } => "give --adapter a part of one of these names, or leave it out",
                _ => "sudo apt-get install -y libvulkan1 mesa-vulkan-drivers",
            };
            let found = match error {
                BackendError::Internal(reason) => reason,
                error => error.to_string(),
            };
            Item { name, ok: false, found, fix: Some(fix.to_owned()) }
        }
    }
}

#[cfg(not(feature = "gpu"))]
fn vulkan(_adapter: Option<&str>) -> Item {
    let fix = Some("cargo build --release --features gpu".to_owned());
    Item { name: "adapter".to_owned(), ok: false, found: "this build has no GPU back end".to_owned(), fix }
}
