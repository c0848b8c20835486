//! The adapter and device of a run: choice, features, limits, what they mean in GL's terms, waiting with a time limit.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use wgpu::hal::api::Vulkan;
use wgpu::{Features, Limits, TextureFormatFeatureFlags, TextureUsages};

use super::error::{ErrorLatch, convert, describe};
use super::format::texture_format;
use super::gpu_time::{GpuTime, GpuTimes};
use super::pipeline_cache::CacheFile;
use crate::gl::backend::{BackendCaps, BackendError};
use crate::gl::format::StorageFormat;

/// How to choose and guard the device.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// Part of an adapter's name, any case; `None` chooses a GPU, or else a software rasteriser.
    pub adapter: Option<String>,
    /// File that keeps compiled pipelines between runs.
    pub pipeline_cache: Option<PathBuf>,
    /// Turns the Vulkan validation layer on, if it is installed.
    pub validation: bool,
    /// Bytes of buffers and images that all contexts may hold together; `None`: 8 GiB, on a software rasteriser no more than
    /// half of what the machine has free.
    pub memory_limit: Option<u64>,
    /// Longest wait for the GPU; a shader that never ends loses the device after it.
    pub time_limit: Duration,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        Self {
            adapter: None,
            pipeline_cache: None,
            validation: false,
            memory_limit: None,
            time_limit: Duration::from_secs(60),
        }
    }
}

/// Bytes that an adapter of this kind gives by default. A software rasteriser takes the machine's own memory: a program that
/// takes it all must fail by itself, not by the kernel's hand.
fn default_memory(kind: wgpu::DeviceType) -> u64 {
    const MOST: u64 = 8 << 30;
    const LEAST: u64 = 1 << 30;
    if kind != wgpu::DeviceType::Cpu {
        return MOST;
    }
    #[expect(clippy::disallowed_methods, reason = "a limit, which no frame sees")]
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let free =
        told.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB")?.parse().ok());
    free.map_or(MOST, |kib: u64| (kib.saturating_mul(1024) / 2).clamp(LEAST, MOST))
}

/// One GPU, shared by all contexts of a run.
pub struct WgpuDevice {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) caps: BackendCaps,
    pub(super) limits: Limits,
    pub(super) features: Features,
    pub(super) adapter: wgpu::Adapter,
    pub(super) cache: CacheFile,
    pub(super) latch: ErrorLatch,
    /// It draws on the CPU.
    pub(super) software: bool,
    allocated: AtomicU64,
    /// 1 + the first frame in which a point was larger than [`BackendCaps::max_point_size`], or 0.
    pub(super) large_points: Arc<AtomicU64>,
    /// What was timed so far; `None` where the adapter has no timestamps.
    pub(super) gpu_times: Option<Arc<GpuTimes>>,
    memory_limit: u64,
    time_limit: Duration,
    hung: AtomicBool,
    /// Outlives the device.
    _instance: wgpu::Instance,
}

impl std::fmt::Debug for WgpuDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WgpuDevice").field("caps", &self.caps).finish_non_exhaustive()
    }
}

/// Both are there, or neither (Vulkan's `timestampComputeAndGraphics`).
const TIMESTAMPS: Features = Features::TIMESTAMP_QUERY.union(Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// Everything that makes WebGL better when the adapter has it.
fn wanted_features() -> Features {
    Features::PIPELINE_CACHE
        | Features::DEPTH_CLIP_CONTROL
        | Features::DEPTH32FLOAT_STENCIL8
        | Features::FLOAT32_FILTERABLE
        | Features::FLOAT32_BLENDABLE
        | Features::RG11B10UFLOAT_RENDERABLE
        | Features::TEXTURE_COMPRESSION_BC
        | Features::TEXTURE_COMPRESSION_ETC2
        | Features::TEXTURE_COMPRESSION_ASTC
        | Features::TEXTURE_FORMAT_16BIT_NORM
        | Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES
        | Features::CLIP_DISTANCES
        | Features::DUAL_SOURCE_BLENDING
        | Features::POLYGON_MODE_LINE
        | Features::VERTEX_WRITABLE_STORAGE
        | Features::CLEAR_TEXTURE
        | TIMESTAMPS
}

impl WgpuDevice {
    /// Opens an adapter. Fails if there is none that can take SPIR-V as it is (any Vulkan driver can).
    pub fn open(options: &DeviceOptions) -> Result<Arc<Self>, BackendError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        descriptor.flags =
            if options.validation { wgpu::InstanceFlags::debugging() } else { wgpu::InstanceFlags::empty() };
        let instance = wgpu::Instance::new(descriptor);
        let adapter = choose_adapter(&instance, options.adapter.as_deref())?;
        let info = adapter.get_info();
        if !adapter.features().contains(Features::PASSTHROUGH_SHADERS) {
            return Err(BackendError::Internal(format!("adapter {} cannot take SPIR-V", info.name)));
        }
        let features = (adapter.features() & wanted_features()) | Features::PASSTHROUGH_SHADERS;
        let limits = adapter.limits();
        let (device, queue, max_point_size) = open_device(&adapter, features, &limits)?;

        let latch = ErrorLatch::default();
        device.on_uncaptured_error(Arc::new({
            let latch = latch.clone();
            move |error: wgpu::Error| {
                tracing::error!("uncaptured wgpu error: {error}");
                latch.set(convert(&error));
            }
        }));
        device.set_device_lost_callback({
            let latch = latch.clone();
            move |reason, message| {
                if reason != wgpu::DeviceLostReason::Destroyed {
                    latch.set(BackendError::DeviceLost(message));
                }
            }
        });

        let cache = CacheFile::open(&device, &info, options.pipeline_cache.as_deref());
        let caps = gl_caps(&adapter, &info, features, &limits, max_point_size);
        tracing::info!(adapter = info.name, driver = info.driver_info, "opened the GPU");
        Ok(Arc::new(Self {
            device,
            queue,
            caps,
            limits,
            features,
            adapter,
            cache,
            latch,
            software: info.device_type == wgpu::DeviceType::Cpu,
            allocated: AtomicU64::new(0),
            large_points: Arc::default(),
            gpu_times: features.contains(TIMESTAMPS).then(Arc::default),
            memory_limit: options.memory_limit.unwrap_or_else(|| default_memory(info.device_type)),
            time_limit: options.time_limit,
            hung: AtomicBool::new(false),
            _instance: instance,
        }))
    }

    /// What the adapter can do.
    pub fn caps(&self) -> &BackendCaps {
        &self.caps
    }

    /// The first frame in which a point in the picture was larger than the adapter draws them, as far as frames came out.
    pub fn large_points(&self) -> Option<u64> {
        self.large_points.load(Ordering::Relaxed).checked_sub(1)
    }

    /// How long the GPU worked on what came out so far; `None` where the adapter has no timestamps.
    pub fn gpu_time(&self) -> Option<GpuTime> {
        Some(self.gpu_times.as_ref()?.told())
    }

    /// It draws on the CPU.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// The adapter is lavapipe of a Mesa that draws much more slowly than later ones.
    pub fn is_old_lavapipe(&self) -> bool {
        old_lavapipe(&self.adapter.get_info())
    }

    /// Writes the pipeline cache to its file, if it has one. Call at the end of a run.
    pub fn save_pipeline_cache(&self) -> std::io::Result<()> {
        self.cache.save()
    }

    /// Waits for `submission` (or the newest one) and runs its callbacks.
    pub(super) fn wait(&self, submission: Option<wgpu::SubmissionIndex>) -> Result<(), BackendError> {
        self.latch.check()?;
        let wait = wgpu::PollType::Wait { submission_index: submission, timeout: Some(self.time_limit) };
        match self.device.poll(wait) {
            Ok(_) => self.latch.check(),
            Err(wgpu::PollError::Timeout) => {
                self.hung.store(true, Ordering::Relaxed);
                let error = BackendError::DeviceLost(format!(
                    "the GPU did not finish within {} s (does a shader loop for ever?)",
                    self.time_limit.as_secs_f32()
                ));
                self.latch.set(error.clone());
                Err(error)
            }
            Err(error) => Err(BackendError::Internal(describe(&error))),
        }
    }

    /// Runs callbacks of work that is done, without waiting.
    pub(super) fn poll(&self) {
        let _ = self.device.poll(wgpu::PollType::Poll);
    }

    /// Counts `bytes` against the memory limit.
    pub(super) fn reserve(self: &Arc<Self>, bytes: u64, what: &str) -> Result<MemoryTicket, BackendError> {
        let before = self.allocated.fetch_add(bytes, Ordering::Relaxed);
        let ticket = MemoryTicket { device: self.clone(), bytes };
        match before.checked_add(bytes) {
            Some(total) if total <= self.memory_limit => Ok(ticket),
            _ => Err(BackendError::OutOfMemory(format!(
                "{what} of {bytes} bytes does not fit: {before} of {} bytes are in use",
                self.memory_limit
            ))),
        }
    }
}

impl Drop for WgpuDevice {
    #[expect(clippy::mem_forget, reason = "a device that hangs can not be dropped")]
    fn drop(&mut self) {
        if self.hung.load(Ordering::Relaxed) {
            super::super::patience::leave_thread();
            // Dropping the queue would wait for work that never ends: leak it, the process is about to end.
            std::mem::forget(self.device.clone());
            std::mem::forget(self.queue.clone());
            std::mem::forget(self._instance.clone());
        }
    }
}

/// Bytes counted against the limit until dropped.
#[derive(Debug)]
pub struct MemoryTicket {
    device: Arc<WgpuDevice>,
    bytes: u64,
}

impl Drop for MemoryTicket {
    fn drop(&mut self) {
        self.device.allocated.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

fn choose_adapter(instance: &wgpu::Instance, name: Option<&str>) -> Result<wgpu::Adapter, BackendError> {
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
    let names: Vec<String> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    if let Some(name) = name {
        let wanted = name.to_lowercase();
        adapters.retain(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted));
    }
    // The order of enumeration breaks ties, so that the choice repeats.
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Cpu => 3,
        wgpu::DeviceType::Other => 4,
    });
    adapters.into_iter().next().ok_or_else(|| match (name, names.is_empty()) {
        (_, true) => BackendError::Internal("no Vulkan driver found".to_owned()),
        (Some(name), false) => BackendError::NoSuchAdapter { wanted: name.to_owned(), present: names },
        (None, false) => BackendError::Internal("no usable Vulkan adapter".to_owned()),
    })
}

/// Whose device it is: ids of the PCI SIG, and above 0xffff those of the Vulkan registry (`VkVendorId`).
fn vendor(id: u32) -> String {
    match id {
        0x1002 => "AMD".to_owned(),
        0x106b => "Apple".to_owned(),
        0x10de => "NVIDIA".to_owned(),
        0x13b5 => "ARM".to_owned(),
        0x1414 => "Microsoft".to_owned(),
        0x14e4 => "Broadcom".to_owned(),
        0x1ae0 => "Google".to_owned(),
        0x5143 => "Qualcomm".to_owned(),
        0x8086 => "Intel".to_owned(),
        0x1_0005 => "Mesa".to_owned(),
        other => format!("0x{other:04x}"),
    }
}

/// Opens the device by hand, because wgpu-hal does not enable `largePoints`: without it Vulkan allows
/// `gl_PointSize` 1 only.
fn open_device(
    adapter: &wgpu::Adapter,
    features: Features,
    limits: &Limits,
) -> Result<(wgpu::Device, wgpu::Queue, f32), BackendError> {
    let failed = |what: &dyn std::fmt::Display| BackendError::Internal(format!("cannot open the GPU device: {what}"));
    // SAFETY: the adapter lives until the end of this function, and its handles are only read.
    let hal = unsafe { adapter.as_hal::<Vulkan>() }.ok_or_else(|| failed(&"not a Vulkan adapter"))?;
    let instance = hal.shared_instance().raw_instance().clone();
    let physical = hal.raw_physical_device();
    let extensions = hal.required_device_extensions(features);
    let mut enabled = hal.physical_device_features(&extensions, features);
    // SAFETY: `physical` belongs to `instance`.
    let (supported, properties) =
        unsafe { (instance.get_physical_device_features(physical), instance.get_physical_device_properties(physical)) };
    let mut core = enabled.get_core();
    core.large_points = supported.large_points;
    let max_point_size =
        if supported.large_points == ash::vk::TRUE { properties.limits.point_size_range[1] } else { 1.0 };

    let family_index = 0;
    let queues = [ash::vk::DeviceQueueCreateInfo::default().queue_family_index(family_index).queue_priorities(&[1.0])];
    let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
    let info = ash::vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_extension_names(&names);
    let mut info = enabled.add_to_device_create(info);
    info.p_enabled_features = &core;
    // SAFETY: every pointer in `info` lives until the call returns; features and extensions are supported ones.
    // The device is made from this adapter with exactly the extensions and features that wgpu-hal asks for, and one more.
    let open = unsafe {
        let raw = instance.create_device(physical, &info, None).map_err(|error| failed(&error))?;
        hal.device_from_raw(raw, None, &extensions, features, limits, &wgpu::MemoryHints::default(), family_index, 0)
            .map_err(|error| failed(&error))?
    };
    drop(hal);
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("replay"),
        required_features: features,
        required_limits: limits.clone(),
        ..Default::default()
    };
    // SAFETY: `open` was made just now from this adapter with the same features and limits.
    let (device, queue) =
        unsafe { adapter.create_device_from_hal(open, &descriptor) }.map_err(|error| failed(&describe(&error)))?;
    Ok((device, queue, max_point_size))
}

fn gl_caps(
    adapter: &wgpu::Adapter,
    info: &wgpu::AdapterInfo,
    features: Features,
    limits: &Limits,
    max_point_size: f32,
) -> BackendCaps {
    let has = |feature| features.contains(feature);
    let counts = |format: StorageFormat| -> Vec<u32> {
        let format = adapter.get_texture_format_features(texture_format(format));
        let flags = format.flags;
        if !format.allowed_usages.contains(TextureUsages::RENDER_ATTACHMENT) {
            return Vec::new();
        }
        [
            (2, TextureFormatFeatureFlags::MULTISAMPLE_X2),
            (4, TextureFormatFeatureFlags::MULTISAMPLE_X4),
            (8, TextureFormatFeatureFlags::MULTISAMPLE_X8),
        ]
        .into_iter()
        .filter(|(count, flag)| {
            flags.contains(*flag) && (*count == 4 || has(Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES))
        })
        .map(|(count, _)| count)
        .collect()
    };
    let sample_counts = counts(StorageFormat::Rgba8Unorm);
    let narrower_sample_counts = multisample_formats()
        .into_iter()
        .map(|format| (format, counts(format)))
        .filter(|(_, counts)| *counts != sample_counts)
        .collect();
    let anisotropic = adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::ANISOTROPIC_FILTERING);
    BackendCaps {
        vendor: vendor(info.vendor),
        renderer: info.name.clone(),
        driver: format!("{} {}", info.driver, info.driver_info),
        max_texture_size: limits.max_texture_dimension_2d,
        max_3d_texture_size: limits.max_texture_dimension_3d,
        max_array_texture_layers: limits.max_texture_array_layers,
        max_samples: sample_counts.last().copied().unwrap_or(1),
        max_color_attachments: limits.max_color_attachments.min(8),
        // WebGL programs expect 16; more gains nothing, and every attribute may need a slot of its own.
        max_vertex_attributes: limits.max_vertex_attributes.min(limits.max_vertex_buffers).min(16),
        max_texture_units_per_stage: limits
            .max_sampled_textures_per_shader_stage
            .min(limits.max_samplers_per_shader_stage)
            .min(32),
        // Two default blocks and the driver block come first.
        max_uniform_blocks_per_stage: limits.max_uniform_buffers_per_shader_stage.saturating_sub(3).min(24),
        max_uniform_block_size: limits.max_uniform_buffer_binding_size.min(65_536),
        uniform_buffer_offset_alignment: limits.min_uniform_buffer_offset_alignment,
        max_varying_vectors: limits.max_inter_stage_shader_variables.saturating_sub(1).min(31),
        max_point_size,
        max_anisotropy: if anisotropic { 16 } else { 1 },
        float32_filterable: has(Features::FLOAT32_FILTERABLE),
        float32_blendable: has(Features::FLOAT32_BLENDABLE),
        rg11b10_renderable: has(Features::RG11B10UFLOAT_RENDERABLE),
        norm16: has(Features::TEXTURE_FORMAT_16BIT_NORM),
        bc: has(Features::TEXTURE_COMPRESSION_BC),
        etc2: has(Features::TEXTURE_COMPRESSION_ETC2),
        astc: has(Features::TEXTURE_COMPRESSION_ASTC),
        depth32_stencil8: has(Features::DEPTH32FLOAT_STENCIL8),
        depth_clamp: has(Features::DEPTH_CLIP_CONTROL),
        clip_distances: has(Features::CLIP_DISTANCES),
        polygon_mode_line: has(Features::POLYGON_MODE_LINE),
        dual_source_blending: has(Features::DUAL_SOURCE_BLENDING),
        truncates_half: info.device_type == wgpu::DeviceType::Cpu,
        clips_no_lines: info.device_type == wgpu::DeviceType::Cpu && has(Features::CLIP_DISTANCES),
        // lavapipe leaves every loop of an invocation once 65,535 rounds were made in it, and says nothing.
        max_loop_rounds: if info.device_type == wgpu::DeviceType::Cpu { 60_000 } else { 1_000_000 },
        max_flat_rows: if old_lavapipe(info) { 16 } else { 0 },
        vertex_writable_storage: has(Features::VERTEX_WRITABLE_STORAGE),
        observes: false,
        sample_counts,
        narrower_sample_counts,
    }
}

/// lavapipe before Mesa 25: its fragment shaders read each word of a uniform lane by lane and, with MSAA, shade what is
/// hidden. (Seen in 22.3.6 and gone in 25.0.7; what lies between was not tried.)
fn old_lavapipe(info: &wgpu::AdapterInfo) -> bool {
    let mesa =
        info.driver_info.strip_prefix("Mesa ").and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    info.device_type == wgpu::DeviceType::Cpu && mesa.is_some_and(|major| major < 25)
}

/// Formats that GL lets `renderbufferStorageMultisample` have.
fn multisample_formats() -> Vec<StorageFormat> {
    use StorageFormat as S;
    vec![
        S::R8Unorm,
        S::Rg8Unorm,
        S::Rgba8Unorm,
        S::Rgba8UnormSrgb,
        S::Rgb10a2Unorm,
        S::Rg11b10Ufloat,
        S::R16Float,
        S::Rg16Float,
        S::Rgba16Float,
        S::R32Float,
        S::Rg32Float,
        S::Rgba32Float,
        S::R16Unorm,
        S::Rg16Unorm,
        S::Rgba16Unorm,
        S::Depth16Unorm,
        S::Depth24Plus,
        S::Depth24PlusStencil8,
        S::Depth32Float,
        S::Depth32FloatStencil8,
        S::Stencil8,
        S::R8Uint,
        S::R8Sint,
        S::Rg8Uint,
        S::Rg8Sint,
        S::Rgba8Uint,
        S::Rgba8Sint,
        S::R16Uint,
        S::R16Sint,
        S::Rg16Uint,
        S::Rg16Sint,
        S::Rgba16Uint,
        S::Rgba16Sint,
        S::R32Uint,
        S::R32Sint,
        S::Rg32Uint,
        S::Rg32Sint,
        S::Rgba32Uint,
        S::Rgba32Sint,
        S::Rgb10a2Uint,
    ]
}
