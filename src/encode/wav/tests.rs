use super::*;

fn tone(rate: u32, hz: f64, seconds: f64) -> Vec<[f64; 2]> {
    let count = (f64::from(rate) * seconds) as usize;
    let at = |i: usize| 0.5 * (2.0 * std::f64::consts::PI * hz * i as f64 / f64::from(rate)).sin();
    (0..count).map(|i| [at(i), -at(i)]).collect()
}

/// RMS difference from the ideal tone at 48 kHz, and RMS of the output, both away from the ends.
fn against_ideal(rate: u32, hz: f64) -> (f64, f64) {
    let out = resample(&tone(rate, hz, 0.5), rate, 24_000);
    let ideal = |i: usize| 0.5 * (2.0 * std::f64::consts::PI * hz * i as f64 / 48_000.0).sin();
    let range = 4000..20_000;
    let n = range.len() as f64;
    let value = |i: usize| f64::from(out[2 * i]) / 32768.0;
    let error = range.clone().map(|i| (value(i) - ideal(i)).powi(2)).sum::<f64>() / n;
    let power = range.map(|i| value(i).powi(2)).sum::<f64>() / n;
    (error.sqrt(), power.sqrt())
}

#[test]
fn tones_keep_pitch_phase_and_level_from_any_rate() {
    for rate in [8_000, 22_050, 44_100, 44_101, 88_200, 96_000, 192_000] {
        let (error, _) = against_ideal(rate, 1_000.0);
        // 16-bit rounding alone is 0.9e-5.
        assert!(error < 2e-5, "{rate} Hz: {error}");
    }
    assert!(against_ideal(44_100, 18_000.0).0 < 1e-3);
}

#[test]
fn what_48_khz_cannot_hold_is_filtered_out_instead_of_folded_back() {
    let (_, power) = against_ideal(96_000, 30_000.0);
    assert!(power < 1e-4, "{power}");
}

#[test]
fn files_of_every_kind_become_stereo_of_the_asked_length() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.wav");
    let kinds = [
        (1, 8, SampleFormat::Int),
        (2, 16, SampleFormat::Int),
        (6, 24, SampleFormat::Int),
        (3, 32, SampleFormat::Int),
        (2, 32, SampleFormat::Float),
    ];
    for (channels, bits_per_sample, sample_format) in kinds {
        let spec = WavSpec { channels, sample_rate: 48_000, bits_per_sample, sample_format };
        let mut writer = hound::WavWriter::create(&path, spec).unwrap();
        // Half of full scale in every channel.
        for _ in 0..1000 * u32::from(channels) {
            match sample_format {
                SampleFormat::Float => writer.write_sample(0.5f32).unwrap(),
                SampleFormat::Int => writer.write_sample(1i32 << (bits_per_sample - 2)).unwrap(),
            }
        }
        writer.finalize().unwrap();
        let SoundTrack { source, seconds } = load(&path, 1500).unwrap();
        assert_eq!(seconds, 1000.0 / 48_000.0);
        let AudioSource::Pcm(pcm) = &source else { panic!("silence") };
        assert_eq!(pcm.len(), 3000);
        // The LFE is left out and the other weights sum to one, so the level stays.
        assert!(pcm[..1990].iter().all(|&v| (i32::from(v) - 16384).abs() <= 1), "{channels} ch: {}", pcm[0]);
        assert_eq!(source.slice(2000, 4), [0; 4]);
        assert_eq!(source.slice(9_999_999, 2), [0; 2]);
    }
}

#[test]
fn what_is_not_a_wav_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("broken.wav");
    std::fs::write(&path, b"RIFF").unwrap();
    assert!(load(&path, 10).unwrap_err().to_string().contains("broken.wav"));
    assert!(load(&dir.path().join("none.wav"), 10).is_err());
}

#[test]
fn channels_go_where_the_file_says_their_speakers_are() {
    // 4.0 as ffmpeg writes it: front left, front right, front centre, back centre (mask 0x107), 16 bits, extensible.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("four.wav");
    let write = |mask: u32, frame: [i16; 4]| {
        let mut format = Vec::new();
        format.extend(0xFFFEu16.to_le_bytes());
        format.extend(4u16.to_le_bytes());
        format.extend(48_000u32.to_le_bytes());
        format.extend((48_000u32 * 8).to_le_bytes());
        format.extend(8u16.to_le_bytes());
        format.extend(16u16.to_le_bytes());
        format.extend(22u16.to_le_bytes());
        format.extend(16u16.to_le_bytes());
        format.extend(mask.to_le_bytes());
        format.extend([1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]);
        let data: Vec<u8> = (0..480).flat_map(|_| frame).flat_map(i16::to_le_bytes).collect();
        let mut file = b"RIFF".to_vec();
        file.extend((4 + 8 + format.len() as u32 + 8 + data.len() as u32).to_le_bytes());
        file.extend(b"WAVEfmt ");
        file.extend((format.len() as u32).to_le_bytes());
        file.extend(&format);
        file.extend(b"data");
        file.extend((data.len() as u32).to_le_bytes());
        file.extend(&data);
        std::fs::write(&path, file).unwrap();
        load(&path, 480).unwrap().source.slice(200, 2)
    };
    let only = |channel: usize| std::array::from_fn(|i| if i == channel { 16_000 } else { 0 });
    let [l, r] = write(0x107, only(2))[..] else { panic!() };
    assert!(l == r && l > 0, "a front centre is in the middle: {l} {r}");
    let [l, r] = write(0x107, only(3))[..] else { panic!() };
    assert!(l == r && l > 0, "so is a back centre: {l} {r}");
    // Quad, the same samples: the third channel is the left one behind.
    let [l, r] = write(0x33, only(2))[..] else { panic!() };
    assert!(l > 0 && r == 0, "{l} {r}");
    // ITU-R BS.775: a front side and the centre at -3 dB, over the sum of all that comes to that side.
    let [l, r] = write(0x107, only(0))[..] else { panic!() };
    let sum = 1.0 + std::f64::consts::FRAC_1_SQRT_2 + 0.5;
    assert!((f64::from(l) - 16_000.0 / sum).abs() <= 1.0 && r == 0, "{l} {r}");
}
