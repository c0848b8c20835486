//! `replay sheet`: a contact sheet of one output, or blind sheets of several.

#![expect(clippy::disallowed_methods, reason = "writes the pictures the user asked for")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::json;

use super::args::SheetArgs;
use super::{Ended, show};
use crate::frame::hash::Hash;
use crate::frame::rate::parse_fraction;
use crate::report::Format;
use crate::report::sheet::{self, Choice, Labels, Settings, blind};
use crate::verify::{FrameTimes, Source};

/// Of JPEG files; high, since sheets are judged by.
const QUALITY: u8 = 92;

pub fn sheet(args: &SheetArgs, quiet: bool, json: bool) -> Ended {
    if args.blind { blind_sheets(args, quiet, json) } else { one_sheet(args, quiet, json) }
}

fn settings(args: &SheetArgs) -> Result<Settings, miette::Report> {
    let choice = match (&args.every, args.frames.as_slice()) {
        (Some(every), _) => {
            let (num, den) = parse_fraction(every).filter(|(num, _)| *num > 0).ok_or_else(|| {
                miette!(help = "write seconds: 2, 3.625 or 29/8", "--every {every} is no length of time")
            })?;
            Choice::Every { num, den }
        }
        (None, []) => Choice::Even,
        (None, frames) => Choice::Frames(frames.to_vec()),
    };
    Ok(Settings {
        choice,
        grid: args.grid,
        cell_width: args.cell,
        times: None,
        labels: Labels::Times,
        title: args.title.clone(),
    })
}

/// When the frames of `input` are shown: what it says, else what --fps says.
fn times(input: &Path, frames: u64, args: &SheetArgs) -> Result<Option<FrameTimes>, miette::Report> {
    let rate = args.fps.as_deref().map(str::parse).transpose().into_diagnostic()?;
    Ok(FrameTimes::of(input, frames).or_else(|| rate.map(|rate| FrameTimes::constant(rate, frames))))
}

fn one_sheet(args: &SheetArgs, quiet: bool, json: bool) -> Ended {
    let [input] = args.inputs.as_slice() else {
        return Err(miette!(help = "give one input, or --blind for sheets of a set", "more than one input"));
    };
    let output = args.output.clone().unwrap_or_else(|| default_output(input));
    let format = format_of(&output)?;
    let mut source = Source::open(input)?;
    let settings = Settings { times: times(input, source.len(), args)?, ..settings(args)? };
    let made = sheet::make(&mut source, &settings, None)?;
    let bytes = format.encode(&made.picture)?;
    write(&output, &bytes)?;
    if json {
        let cells: Vec<_> =
            made.frames.iter().zip(&made.times).map(|(frame, time)| json!({ "frame": frame, "time": time })).collect();
        show::print_json(&json!({
            "ok": true, "sheet": output, "sha256": Hash::of(&bytes), "grid": made.layout.grid.to_string(),
            "width": made.picture.width, "height": made.picture.height, "cells": cells,
        }));
    } else if !quiet {
        show::print(&format!(
            "{}: {} frames in {}, {}x{} pixels\n",
            output.display(),
            made.frames.len(),
            made.layout.grid,
            made.picture.width,
            made.picture.height
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// `OUT/sheet.png` for a folder, `NAME.sheet.png` beside a file.
fn default_output(input: &Path) -> PathBuf {
    if input.is_dir() { input.join("sheet.png") } else { input.with_extension("sheet.png") }
}

fn format_of(path: &Path) -> Result<Format, miette::Report> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("png") => Ok(Format::Png),
        Some("jpg" | "jpeg") => Ok(Format::Jpeg(QUALITY)),
        _ => Err(miette!(
            help = "end its name in .png or .jpg",
            "{} has no ending that names a picture format",
            path.display()
        )),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), miette::Report> {
    std::fs::write(path, bytes).into_diagnostic().wrap_err_with(|| format!("{} cannot be written", path.display()))
}

fn blind_sheets(args: &SheetArgs, quiet: bool, json: bool) -> Ended {
    let folder = args.output.as_deref().ok_or_else(|| {
        miette!(help = "replay sheet --blind A.mp4 B.mp4 -o sheets", "blind sheets need a folder to go to (-o DIR)")
    })?;
    let key_path = args.key.clone().unwrap_or_else(|| default_key(folder));
    check_places(folder, &key_path)?;
    let format = if args.jpeg { Format::Jpeg(QUALITY) } else { Format::Png };
    let mut settings = Settings { labels: Labels::Places, ..settings(args)? };
    let grid = settings.grid.unwrap_or_default();
    if !matches!(settings.choice, Choice::Frames(_)) {
        settings.grid = Some(grid);
    }
    let mut hashes = Vec::new();
    let mut sizes = Vec::new();
    for input in &args.inputs {
        hashes.push(identity(input)?);
        let mut source = Source::open(input)?;
        let first = source.picture_at(0)?;
        sizes.extend(first.map(|picture| source.display().size((picture.width, picture.height))));
    }
    let cell = blind::cell_size(&sizes, settings.cell_width);
    let mut films: Vec<(usize, String)> = blind::letters(&hashes, args.seed).into_iter().enumerate().collect();
    // Written in the order of the letters, so that the files' times tell nothing.
    films.sort_by_key(|(_, letter)| (letter.len(), letter.clone()));
    let mut entries = Vec::new();
    let mut sheets = Vec::new();
    let mut layout = None;
    for (film, letter) in films {
        let (Some(input), Some(&sha256)) = (args.inputs.get(film), hashes.get(film)) else { continue };
        settings.title = Some(letter.clone());
        let mut source = Source::open(input)?;
        settings.times = times(input, source.len(), args)?;
        let made = sheet::make(&mut source, &settings, Some(cell))?;
        let bytes = format.encode(&made.picture)?;
        let name = format!("{letter}.{}", format.extension());
        layout = Some(made.layout.grid);
        entries.push(blind::KeyFilm {
            letter,
            path: input.display().to_string(),
            sha256,
            sheet: name.clone(),
            sheet_sha256: Hash::of(&bytes),
            frames: made.frames,
        });
        sheets.push((name, bytes));
    }
    // Only now: a set that lacks a film leaves nothing behind.
    std::fs::create_dir_all(folder)
        .into_diagnostic()
        .wrap_err_with(|| format!("{} cannot be made", folder.display()))?;
    for (name, bytes) in &sheets {
        write(&folder.join(name), bytes)?;
    }
    let grid = layout.unwrap_or(grid).to_string();
    let key = blind::Key { format: 1, seed: args.seed, grid, cell: [cell.0, cell.1], films: entries };
    let text = serde_json::to_string_pretty(&key).into_diagnostic()? + "\n";
    write(&key_path, text.as_bytes())?;
    let count = key.films.len();
    if json {
        show::print_json(&json!({ "ok": true, "sheets": folder, "count": count, "key": key_path }));
    } else if !quiet {
        show::print(&format!(
            "{count} sheets in {}; whose they are stands in {}\n",
            folder.display(),
            key_path.display()
        ));
        if args.seed.is_none() {
            show::print("without --seed, who has the videos can work the letters out again\n");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `DIR.key.json` beside the folder: who is given the folder is not given the key.
fn default_key(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or("sheets".as_ref()).to_owned();
    name.push(".key.json");
    folder.with_file_name(name)
}

/// The folder must be empty or not there yet, and the key lie outside of it and overwrite none.
fn check_places(folder: &Path, key: &Path) -> Result<(), miette::Report> {
    if folder.exists() && std::fs::read_dir(folder).into_diagnostic()?.next().is_some() {
        return Err(miette!(
            help = "give a new folder with -o: what is left of another set would be judged with this one",
            "{} is not empty",
            folder.display()
        ));
    }
    let home = key.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let inside = real(folder)?;
    if real(home)?.starts_with(&inside) {
        return Err(miette!(
            help = "give another place with --key",
            "the key {} would lie among the sheets",
            key.display()
        ));
    }
    if !home.is_dir() {
        return Err(miette!(help = "make it, or give another place with --key", "{} is no folder", home.display()));
    }
    if key.exists() {
        return Err(miette!(
            help = "it is the only record of another set's letters: move it, or give another place with --key",
            "the key {} is already there",
            key.display()
        ));
    }
    Ok(())
}

/// Where a path leads, links followed as far as it exists.
fn real(path: &Path) -> Result<PathBuf, miette::Report> {
    let whole = std::path::absolute(path).into_diagnostic()?;
    for above in whole.ancestors() {
        if let (Ok(real), Ok(rest)) = (std::fs::canonicalize(above), whole.strip_prefix(above)) {
            return Ok(real.join(rest));
        }
    }
    Ok(whole)
}

/// The SHA-256 of a video, or of a folder's video or list of frame hashes.
fn identity(input: &Path) -> Result<Hash, miette::Report> {
    let candidates = if input.is_dir() {
        vec![input.join("video.mp4"), input.join("frames.sha256"), input.join("video.incomplete.mp4")]
    } else {
        vec![input.to_owned()]
    };
    let file = candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        let why = if input.exists() { "holds no video" } else { "does not exist" };
        miette!(help = "give a video, or a folder that replay rendered", "{} {why}", input.display())
    })?;
    let read = File::open(&file).and_then(Hash::of_reader);
    read.into_diagnostic().wrap_err_with(|| format!("{} cannot be read", file.display()))
}
