//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::report::sheet::Grid;

/// Runs three.js programs without a browser and turns them into videos that can be trusted.
#[derive(Debug, Parser)]
#[command(name = "replay", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Print nothing when all is well; what fails still shows.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print the result as JSON on standard output.
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Render a program to a video.
    Render(RenderArgs),
    /// Continue a render that was interrupted; the bytes come out the same.
    Resume(ResumeArgs),
    /// Render several times in separate processes and compare every frame and byte.
    Repeat(RepeatArgs),
    /// Find the first frame in which two outputs differ, and show both.
    Diff(DiffArgs),
    /// Measure any MP4 file and hold it against rules.
    Verify(VerifyArgs),
    /// Put chosen frames of a video into one picture; of a set of videos, blindly.
    Sheet(SheetArgs),
    /// Draw the route and the flown path from above.
    Map(MapArgs),
    /// Write one page with the video, all plots, verdicts and pictures of a run.
    Report(ReportArgs),
    /// Measure outputs: smoothness, route, take-off, collisions, scene, cost; several are compared.
    Metrics(MetricsArgs),
    /// Play a trace of graphics commands, without the program.
    Trace(TraceArgs),
    /// Print the JSON schema of a file or of a command's --json, with the meaning and unit of each value; all names without one.
    Schema(SchemaArgs),
    /// Say which adapter, driver and V8 are in use, and how to get what is missing.
    Doctor(DoctorArgs),
    /// Render a stored plan.
    #[command(hide = true)]
    RunPlan(RunPlanArgs),
}

#[derive(Args, Clone, Debug)]
pub struct SchemaArgs {
    /// A file's name (poses.jsonl, manifest.json, …) or a command's (verify, render, …).
    pub name: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub struct RenderArgs {
    /// A folder, an HTML file or a JavaScript module.
    pub path: PathBuf,
    /// Output folder.
    #[arg(short, long, value_name = "DIR", default_value = "out")]
    pub output: PathBuf,
    #[command(flatten)]
    pub options: RenderOptions,
}

/// Settings of `replay.toml` under the same names; what is typed wins.
#[derive(Args, Clone, Debug, Default)]
pub struct RenderOptions {
    /// Size, rate and length of a known benchmark.
    #[arg(long, value_enum)]
    pub preset: Option<Preset>,
    /// What follows the page's address: 'capture=1', '?capture=1#x'; it may also be typed behind the path.
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub query: Option<String>,
    /// Video size in pixels [default: 1920x1080].
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Frames per second: 30, 30000/1001, 29.97 [default: 30].
    #[arg(long, value_name = "N")]
    pub fps: Option<String>,
    /// Length in frames.
    #[arg(long, value_name = "N", conflicts_with = "duration", value_parser = whole, allow_negative_numbers = true)]
    pub frames: Option<u64>,
    /// Length in seconds [default: 10].
    #[arg(long, value_name = "S")]
    pub duration: Option<String>,
    /// Seed of Math.random and crypto [default: 0].
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// devicePixelRatio; the page sees size / ratio CSS pixels [default: 1].
    #[arg(long, value_name = "X", value_parser = number, allow_negative_numbers = true)]
    pub pixel_ratio: Option<f64>,
    /// CSS selector of the canvas to film; the largest one if absent.
    #[arg(long, value_name = "SELECTOR")]
    pub canvas: Option<String>,
    /// Frames that run before the first one filmed.
    #[arg(long, value_name = "N", alias = "warm-up", value_parser = whole, allow_negative_numbers = true)]
    pub warmup: Option<u64>,
    /// raf, or seek:EXPRESSION evaluated per frame with time, frame, fps, duration, frames, t.
    #[arg(long, value_name = "HOW")]
    pub drive: Option<String>,
    #[arg(long, value_enum)]
    pub codec: Option<CodecName>,
    /// Sound track: a WAV file of any rate and channels; silence if absent.
    #[arg(long, value_name = "WAV")]
    pub audio: Option<PathBuf>,
    /// More folders to find packages in; may be given several times.
    #[arg(long, value_name = "DIR")]
    pub node_modules: Vec<PathBuf>,
    /// Colour behind transparent pixels of a film, as RRGGBB [default: the page's own background]; PNGs stay transparent.
    #[arg(long, value_name = "COLOR")]
    pub background: Option<String>,
    /// Most megabits in any one second of the file.
    #[arg(long, value_name = "MBIT", default_value_t = 20.0, value_parser = number, allow_negative_numbers = true)]
    pub max_rate: f64,
    /// Most megabytes the file may take.
    #[arg(long, value_name = "MB", default_value_t = 200, value_parser = positive, allow_negative_numbers = true)]
    pub max_size: u64,
    /// Fail if anything is amiss: a feature that is not supported, HTML that the video leaves out, a file that is not there,
    /// an error that the program logs (as three.js does for a shader that does not compile).
    #[arg(long)]
    pub strict: bool,
    /// Accept a video of one single colour.
    #[arg(long)]
    pub allow_blank: bool,
    /// Write the stream of graphics commands to this file.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// wgpu draws; null draws nothing, to measure the rest.
    #[arg(long, value_enum, default_value_t)]
    pub backend: BackendName,
    /// Use the graphics adapter whose name contains this.
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Threads for colour and coding; changes the speed, never the bytes.
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub threads: Option<u64>,
    /// Keep no evidence: no poses, no scene counts, no render_meta.json.
    #[arg(long)]
    pub no_evidence: bool,
    /// Write how far ahead each pixel is: depth/frame-N.png, 16 bits, and depth/scale.json.
    #[arg(long, conflicts_with = "no_evidence")]
    pub depth: bool,
    /// Longest time the load or one frame may take, in seconds: scripts, and waiting for the GPU and the evidence
    /// [default: 300 for the load, 120 for a frame].
    #[arg(long, value_name = "S", value_parser = number, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Most memory JavaScript may use, in MiB; ArrayBuffers and 2D canvases may each take as much again [default: 4096].
    #[arg(long, value_name = "MIB", value_parser = positive, allow_negative_numbers = true)]
    pub memory_limit: Option<u64>,
    /// Most memory buffers and textures may take, in MiB [default: 8192; with a software rasteriser no more than half of the
    /// machine's free memory].
    #[arg(long, value_name = "MIB", value_parser = positive, allow_negative_numbers = true)]
    pub gpu_memory_limit: Option<u64>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Preset {
    /// 1080x1920, 30 fps, 1740 frames.
    PragueBench,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum CodecName {
    /// H.264 High and AAC in MP4 (the default).
    H264,
    /// AV1 Main and AAC in MP4.
    Av1,
    /// A PNG file per frame, transparent where the canvas is.
    Png,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum BackendName {
    #[default]
    Wgpu,
    Null,
}

#[derive(Args, Clone, Debug)]
pub struct ResumeArgs {
    /// Output folder of the interrupted render.
    pub output: PathBuf,
}

#[derive(Args, Clone, Debug)]
pub struct RunPlanArgs {
    /// A plan as JSON.
    pub plan: PathBuf,
}

#[derive(Args, Clone, Debug)]
pub struct RepeatArgs {
    /// A folder, an HTML file or a JavaScript module.
    pub path: PathBuf,
    /// How many times to render.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(2..))]
    pub runs: u32,
    /// Keep the outputs here as run-1, run-2, …; a temporary folder if absent.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub options: RenderOptions,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit code: 0 no rule failed, 1 a rule failed (with --strict: or was not measured), or the evidence is \
not whole or not what its manifest.json says, 2 it can't be read. With --profile none there are no rules to fail.\n\
The numbers and their paths: src/metrics/schema/metrics.schema.json."
)]
pub struct MetricsArgs {
    /// Output folders of `replay render`; metrics.json, series.json and series.csv are written into each.
    #[arg(required_unless_present = "show_profile", value_name = "OUT")]
    pub outputs: Vec<PathBuf>,
    /// Rules: prague-bench, a TOML file of your own, or none, for the numbers alone.
    #[arg(long, value_name = "NAME|FILE", default_value = "prague-bench")]
    pub profile: String,
    /// A rule that could not be measured fails too.
    #[arg(long)]
    pub strict: bool,
    /// Print a profile's TOML, to begin your own with, and stop.
    #[arg(long)]
    pub show_profile: bool,
    #[command(flatten)]
    pub flight: FlightArgs,
    /// Write a table of all outputs, a row each.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write nothing into the outputs.
    #[arg(long)]
    pub no_write: bool,
}

/// What a flight is compared with, where the output itself does not tell or tells otherwise.
#[derive(Args, Clone, Debug)]
pub struct FlightArgs {
    /// The route to compare with: GPX, GeoJSON, KML or CSV; that of the output if absent.
    #[arg(long, value_name = "FILE")]
    pub route: Option<PathBuf>,
    /// Latitude, longitude and height of the scene's origin; fitted if neither this nor replay.toml tells.
    #[arg(long, value_name = "LAT,LON[,H]", value_delimiter = ',', num_args = 1, allow_hyphen_values = true)]
    pub origin: Option<Vec<f64>>,
    /// Compass bearing of the scene's -z axis, in degrees.
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    pub heading: Option<f64>,
    /// Metres in a scene unit, on the map.
    #[arg(long, value_name = "M")]
    pub scale: Option<f64>,
    /// A waypoint counts as passed within so many metres.
    #[arg(long, value_name = "M")]
    pub waypoint_radius: Option<f64>,
    /// What `replay repeat --json` printed; repeat.json of the output if absent.
    #[arg(long, value_name = "FILE")]
    pub repeat: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct DiffArgs {
    /// An output folder, a folder of PNG files or an MP4 file made by replay.
    pub a: PathBuf,
    /// The same.
    pub b: PathBuf,
    /// Write a picture of both and their difference here.
    #[arg(short, long, value_name = "PNG")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "Exit code: 0 all rules hold, 1 a rule failed or the video is not what its manifest.json says \
(with --profile none, or a profile that says consistency = \"require\": or the file contradicts itself), 2 it can't be read.\n\
The numbers of --json and their paths: src/verify/schema/verify.schema.json (of a PNG sequence: pictures.schema.json).")]
pub struct VerifyArgs {
    /// An MP4 file of any origin, or an output folder: its video, or each file of its PNG sequence, is held against its
    /// manifest.json too. To a PNG sequence no rule applies.
    #[arg(required_unless_present = "show_profile")]
    pub path: Option<PathBuf>,
    /// Rules: prague-bench, a TOML file of your own, or none, to ask only that the file agrees with itself.
    #[arg(long, value_name = "NAME|FILE", default_value = "prague-bench")]
    pub profile: String,
    /// Print a profile's TOML, to begin your own with, and stop.
    #[arg(long)]
    pub show_profile: bool,
}

#[derive(Args, Clone, Debug)]
pub struct SheetArgs {
    /// An MP4 file, an output folder or a folder of PNG files; several with --blind.
    #[arg(required = true)]
    pub inputs: Vec<PathBuf>,
    /// The picture, .png or .jpg [default: sheet.png in a folder, NAME.sheet.png beside a file]; with --blind, an empty
    /// folder.
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Columns and rows [default: 4x4, or what fits the frames chosen].
    #[arg(long, value_name = "CxR")]
    pub grid: Option<Grid>,
    /// A frame every so many seconds, from 0; evenly over the whole duration if absent.
    #[arg(long, value_name = "SECONDS", conflicts_with = "frames")]
    pub every: Option<String>,
    /// These frames, counted from 0: 0,10,20.
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    pub frames: Vec<u64>,
    /// Width of each picture in pixels [default: its longer side is at most 480].
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=8192))]
    pub cell: Option<u32>,
    /// Frame rate of pictures that do not tell theirs.
    #[arg(long, value_name = "N")]
    pub fps: Option<String>,
    /// A line above the pictures.
    #[arg(long, value_name = "TEXT", conflicts_with = "blind")]
    pub title: Option<String>,
    /// A sheet per video under a shuffled letter: DIR/A.png, DIR/B.png, …, all of one size; the key lies elsewhere.
    #[arg(long)]
    pub blind: bool,
    /// Shuffle by this number; without it the letters follow from the videos' hashes.
    #[arg(long, value_name = "N", requires = "blind")]
    pub seed: Option<u64>,
    /// Where to write which letter is whose [default: DIR.key.json].
    #[arg(long, value_name = "FILE", requires = "blind")]
    pub key: Option<PathBuf>,
    /// JPEG instead of PNG files, with --blind; without it the ending of -o says which (.png, .jpg).
    #[arg(long, requires = "blind")]
    pub jpeg: bool,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit code: 0 the map is drawn, 1 it is drawn of what is not whole or not what the render wrote (an alarm \
says so), 2 there is no map."
)]
pub struct MapArgs {
    /// An output folder.
    pub input: PathBuf,
    /// The picture, .png or .svg [default: map.png in the folder].
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Tint the ground with the colours of the film, where the camera saw it.
    #[arg(long)]
    pub film_colors: bool,
    #[command(flatten)]
    pub flight: FlightArgs,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit code: 0 the page is written, 1 it is written and has an alarm at its top (the output is not whole, or not \
what the render wrote), 2 there is no page: nothing to read, or a file that is no video. Verdicts on rules stand in the page \
and don't change the code; ask `verify` and `metrics` for them.\n\
All numbers are measured anew: a metrics.json in the folder is only compared."
)]
pub struct ReportArgs {
    /// An output folder, or a video alone.
    pub input: PathBuf,
    /// The page [default: report.html in the folder, NAME.report.html beside a file].
    #[arg(short, long, value_name = "HTML")]
    pub output: Option<PathBuf>,
    /// Rules for the video: prague-bench, a TOML file of your own, or none.
    #[arg(long, value_name = "NAME|FILE", default_value = "prague-bench")]
    pub profile: String,
    /// Rules for the flight: prague-bench, a TOML file of your own, or none.
    #[arg(long, value_name = "NAME|FILE", default_value = "prague-bench")]
    pub flight_profile: String,
    #[command(flatten)]
    pub flight: FlightArgs,
    /// Put the video into the page, which then needs no other file; up to 64 MiB.
    #[arg(long)]
    pub embed: bool,
    /// Leave the pictures of the contact sheet out.
    #[arg(long)]
    pub no_pictures: bool,
    /// What stands above the page [default: the folder's name].
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub struct TraceArgs {
    /// A file that `replay render --trace FILE` wrote.
    pub file: PathBuf,
    /// wgpu draws; null draws nothing, to measure the rest.
    #[arg(long, value_enum, default_value_t)]
    pub backend: BackendName,
    /// Use the graphics adapter whose name contains this.
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Write the presented frames here as PNG files.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct DoctorArgs {
    /// Look for the graphics adapter whose name contains this.
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
}

/// A whole number from 0.
fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

/// A whole number from 1.
fn positive(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

/// A decimal number.
fn number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|n: &f64| n.is_finite()).ok_or_else(|| "write a number, as 2 or 1.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn frames_and_duration_exclude_each_other() {
        let parse = |args: &[&str]| Cli::try_parse_from([&["replay", "render", "x"], args].concat());
        assert!(parse(&["--frames", "3", "--json", "--quiet"]).is_ok());
        assert!(parse(&["--frames", "3", "--duration", "1"]).is_err());
        assert!(parse(&["--codec", "vp9"]).is_err());
    }
}
