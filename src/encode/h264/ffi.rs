//! The one place that calls openh264: a coder of single pictures at a given quantiser.

use std::ffi::{c_int, c_void};
use std::ptr;

use openh264_sys2::{
    API as _, CONSTANT_ID, DEBLOCKING_IDC_2, ENCODER_OPTION, ENCODER_OPTION_SVC_ENCODE_PARAM_EXT,
    ENCODER_OPTION_TRACE_LEVEL, HIGH_COMPLEXITY, ISVCEncoder, ISVCEncoderVtbl, PRO_HIGH, RC_OFF_MODE, SEncParamExt,
    SFrameBSInfo, SLayerBSInfo, SM_FIXEDSLCNUM_SLICE, SM_SINGLE_SLICE, SSourcePicture, WELS_LOG_QUIET, source,
    videoFormatI420, videoFrameTypeIDR,
};

use super::super::EncodeError;
use crate::frame::Yuv420;

/// Pictures above this many luma pixels are cut into slices, so that threads have something to share.
const SLICED: u64 = 1280 * 720;
const SLICES: u32 = 4;

/// One coded picture.
pub struct Coded {
    /// NAL units, each behind its length in 4 bytes, parameter sets left out.
    pub sample: Vec<u8>,
    pub key: bool,
    pub sps: Option<Vec<u8>>,
    pub pps: Option<Vec<u8>>,
}

impl Coded {
    /// Size in the file.
    pub fn bits(&self) -> u64 {
        self.sample.len() as u64 * 8
    }
}

pub struct Coder {
    api: source::APILoader,
    encoder: *mut ISVCEncoder,
    table: ISVCEncoderVtbl,
    params: SEncParamExt,
    info: Box<SFrameBSInfo>,
    initialized: bool,
    frame: i64,
}

// SAFETY: the library's encoder has no thread affinity; `&mut self` keeps its calls exclusive.
unsafe impl Send for Coder {}

impl Coder {
    /// Opens an encoder for one size; the number of threads never changes the bytes.
    ///
    /// # Errors
    /// The library refuses the settings.
    pub fn open(width: u32, height: u32, fps: f64, level: u8, threads: usize) -> Result<Self, EncodeError> {
        let api = source::APILoader;
        let mut encoder: *mut ISVCEncoder = ptr::null_mut();
        // SAFETY: the library writes a pointer to a new encoder, or fails.
        let status = unsafe { api.WelsCreateSVCEncoder(&raw mut encoder) };
        if status != 0 || encoder.is_null() {
            return Err(failed("opening", status));
        }
        // SAFETY: a created encoder points at a pointer to its table of functions.
        let table: ISVCEncoderVtbl = unsafe { **encoder };
        let mut coder = Self {
            api,
            encoder,
            table,
            params: SEncParamExt::default(),
            info: Box::default(),
            initialized: false,
            frame: 0,
        };
        coder.initialize(width, height, fps, level, threads)?;
        Ok(coder)
    }

    fn initialize(&mut self, width: u32, height: u32, fps: f64, level: u8, threads: usize) -> Result<(), EncodeError> {
        let missing = || failed("reading its function table", -1);
        let defaults = self.table.GetDefaultParams.ok_or_else(missing)?;
        let initialize = self.table.InitializeExt.ok_or_else(missing)?;
        let sliced = u64::from(width) * u64::from(height) > SLICED;
        let (width, height) = (width as c_int, height as c_int);
        // SAFETY: both pointers are valid and the library only writes the parameters.
        check("reading its defaults", unsafe { defaults(self.encoder, &raw mut self.params) })?;
        let params = &mut self.params;
        params.iPicWidth = width;
        params.iPicHeight = height;
        params.fMaxFrameRate = fps as f32;
        params.iRCMode = RC_OFF_MODE;
        params.iTemporalLayerNum = 1;
        params.iSpatialLayerNum = 1;
        params.iComplexityMode = HIGH_COMPLEXITY;
        params.uiIntraPeriod = 0;
        params.iNumRefFrame = 1;
        params.eSpsPpsIdStrategy = CONSTANT_ID;
        params.iEntropyCodingModeFlag = 1;
        params.bEnableFrameSkip = false;
        params.iMinQp = 0;
        params.iMaxQp = 51;
        params.iMultipleThreadIdc = if sliced { threads.clamp(1, SLICES as usize) as u16 } else { 1 };
        params.bUseLoadBalancing = false;
        params.iLoopFilterDisableIdc = DEBLOCKING_IDC_2;
        params.bEnableDenoise = false;
        params.bEnableBackgroundDetection = false;
        params.bEnableAdaptiveQuant = false;
        params.bEnableSceneChangeDetect = false;
        params.bEnableLongTermReference = false;
        params.bEnableFrameCroppingFlag = true;
        let layer = &mut params.sSpatialLayers[0];
        layer.iVideoWidth = width;
        layer.iVideoHeight = height;
        layer.fFrameRate = fps as f32;
        layer.uiProfileIdc = PRO_HIGH;
        layer.uiLevelIdc = c_int::from(level).min(52);
        layer.iDLayerQp = 26;
        layer.sSliceArgument.uiSliceMode = if sliced { SM_FIXEDSLCNUM_SLICE } else { SM_SINGLE_SLICE };
        layer.sSliceArgument.uiSliceNum = if sliced { SLICES } else { 1 };
        // SAFETY: the parameters outlive the call, which copies them.
        check("starting", unsafe { initialize(self.encoder, &raw const self.params) })?;
        self.initialized = true;
        let mut quiet = WELS_LOG_QUIET as c_int;
        self.set_option(ENCODER_OPTION_TRACE_LEVEL, (&raw mut quiet).cast())
    }

    /// Codes `picture` at quantiser `qp`; `alone` makes it a key frame that needs no other picture.
    ///
    /// # Errors
    /// The library failed.
    pub fn code(&mut self, picture: &Yuv420, qp: u8, alone: bool) -> Result<Coded, EncodeError> {
        let missing = || failed("reading its function table", -1);
        self.params.sSpatialLayers[0].iDLayerQp = c_int::from(qp);
        let mut params = self.params;
        self.set_option(ENCODER_OPTION_SVC_ENCODE_PARAM_EXT, (&raw mut params).cast())?;
        if alone {
            let force = self.table.ForceIntraFrame.ok_or_else(missing)?;
            // SAFETY: the encoder is initialized.
            check("asking for a key frame", unsafe { force(self.encoder, true) })?;
        }
        let (width, height) = (picture.width() as c_int, picture.height() as c_int);
        let source = SSourcePicture {
            iColorFormat: videoFormatI420,
            iStride: [width, width / 2, width / 2, 0],
            pData: [
                picture.y.as_ptr().cast_mut(),
                picture.cb.as_ptr().cast_mut(),
                picture.cr.as_ptr().cast_mut(),
                ptr::null_mut(),
            ],
            iPicWidth: width,
            iPicHeight: height,
            uiTimeStamp: self.frame,
            bPsnrY: false,
            bPsnrU: false,
            bPsnrV: false,
        };
        self.frame += 1;
        let encode = self.table.EncodeFrame.ok_or_else(missing)?;
        // SAFETY: the planes hold width × height (× 1/4) bytes, are only read, and outlive the call;
        // the size is the one the encoder was initialized with.
        check("coding a picture", unsafe { encode(self.encoder, &raw const source, &raw mut *self.info) })?;
        self.collect()
    }

    /// Takes the coded units out of the library's buffers.
    fn collect(&self) -> Result<Coded, EncodeError> {
        let key = self.info.eFrameType == videoFrameTypeIDR;
        let mut coded = Coded { sample: Vec::new(), key, sps: None, pps: None };
        let layers = usize::try_from(self.info.iLayerNum).unwrap_or(0);
        for layer in self.info.sLayerInfo.iter().take(layers) {
            for unit in units(layer) {
                let nal = strip_start_code(unit);
                match nal.first().map(|header| header & 0x1f) {
                    None => {}
                    Some(7) => coded.sps = Some(nal.to_vec()),
                    Some(8) => coded.pps = Some(nal.to_vec()),
                    Some(_) => {
                        coded.sample.extend((nal.len() as u32).to_be_bytes());
                        coded.sample.extend_from_slice(nal);
                    }
                }
            }
        }
        if coded.sample.is_empty() {
            return Err(failed("coding a picture: it gave nothing", 0));
        }
        Ok(coded)
    }

    fn set_option(&mut self, option: ENCODER_OPTION, value: *mut c_void) -> Result<(), EncodeError> {
        let set = self.table.SetOption.ok_or_else(|| failed("reading its function table", -1))?;
        // SAFETY: callers pass a pointer to the type that the option takes; it outlives the call.
        check("setting an option", unsafe { set(self.encoder, option, value) })
    }
}

impl Drop for Coder {
    fn drop(&mut self) {
        // SAFETY: the encoder was created, is destroyed once, and its buffers are not used after.
        unsafe {
            if self.initialized
                && let Some(uninitialize) = self.table.Uninitialize
            {
                uninitialize(self.encoder);
            }
            self.api.WelsDestroySVCEncoder(self.encoder);
        }
    }
}

/// The NAL units of one layer, start codes included.
fn units(layer: &SLayerBSInfo) -> impl Iterator<Item = &[u8]> {
    let count = usize::try_from(layer.iNalCount).unwrap_or(0);
    let mut offset = 0;
    (0..count).filter_map(move |i| {
        // SAFETY: the library promises iNalCount lengths, and their sum of bytes, until the next call;
        // the borrow of the layer ends before it.
        unsafe {
            let len = usize::try_from(*layer.pNalLengthInByte.add(i)).ok()?;
            let unit = std::slice::from_raw_parts(layer.pBsBuf.add(offset), len);
            offset += len;
            Some(unit)
        }
    })
}

fn strip_start_code(unit: &[u8]) -> &[u8] {
    let zeros = unit.iter().take_while(|&&b| b == 0).count();
    unit.get(zeros + 1..).unwrap_or(&[])
}

fn check(action: &'static str, status: c_int) -> Result<(), EncodeError> {
    if status == 0 { Ok(()) } else { Err(failed(action, status)) }
}

fn failed(action: &'static str, status: c_int) -> EncodeError {
    EncodeError::library("openh264", action, format!("status {status}"))
}
