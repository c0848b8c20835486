//! Letters in place of names, so that who judges a set of films does not know whose they are.
//!
//! The letters depend on the films' own bytes and the seed alone: not on their order, their names or the clock. Without
//! a seed everybody who has the films can find the letters again; a secret seed keeps them from it.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::layout;
use crate::frame::hash::Hash;

/// Letters for films with these hashes, in the same order: a shuffle of A, B, C, … Z, AA, AB, …
pub fn letters(films: &[Hash], seed: Option<u64>) -> Vec<String> {
    let mut order: Vec<usize> = (0..films.len()).collect();
    order.sort_by_key(|&film| films.get(film).copied());
    let mut random = Random::new(films, seed);
    // Fisher and Yates' shuffle (Knuth, TAOCP 2, 3.4.2 P).
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u64 + 1) as usize);
    }
    let mut out = vec![String::new(); films.len()];
    for (place, film) in order.into_iter().enumerate() {
        if let Some(slot) = out.get_mut(film) {
            *slot = letter(place);
        }
    }
    out
}

/// A to Z, then AA, AB, … as in a spreadsheet.
fn letter(mut place: usize) -> String {
    let mut text = Vec::new();
    loop {
        text.push(char::from(b'A' + (place % 26) as u8));
        if place < 26 {
            return text.iter().rev().collect();
        }
        place = place / 26 - 1;
    }
}

/// SHA-256 in counter mode.
struct Random {
    key: [u8; 32],
    counter: u64,
}

impl Random {
    fn new(films: &[Hash], seed: Option<u64>) -> Self {
        let mut sorted = films.to_vec();
        sorted.sort_unstable();
        let mut digest = Sha256::new();
        digest.update(b"replay blind sheets");
        digest.update(seed.map_or_else(String::new, |seed| seed.to_string()));
        digest.update(b"\n");
        sorted.iter().for_each(|film| digest.update(film.0));
        Self { key: digest.finalize().into(), counter: 0 }
    }

    /// Even over 0 … `bound` − 1.
    fn below(&mut self, bound: u64) -> u64 {
        let bound = bound.max(1);
        // Values past the last whole multiple would favour small results.
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let block = Sha256::new().chain_update(self.key).chain_update(self.counter.to_le_bytes()).finalize();
            self.counter += 1;
            let value = block.iter().take(8).fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
            if value < limit {
                return value % bound;
            }
        }
    }
}

/// One cell size for all sheets of a set: sizes of the films' pictures in, width and height out.
pub fn cell_size(pictures: &[(u32, u32)], width: Option<u32>) -> (u32, u32) {
    layout::cell_size(pictures, width)
}

/// The JSON schema of [`Key`], draft 2020-12.
pub const SCHEMA: &str = include_str!("../schema/key.schema.json");

/// The file that says whose letters are whose; sorted by letter.
#[derive(Clone, Debug, Serialize)]
pub struct Key {
    /// Version of this format.
    pub format: u32,
    /// `null`: the letters follow from the films alone.
    pub seed: Option<u64>,
    pub grid: String,
    /// Width and height of every cell.
    pub cell: [u32; 2],
    pub films: Vec<KeyFilm>,
}

#[derive(Clone, Debug, Serialize)]
pub struct KeyFilm {
    pub letter: String,
    pub path: String,
    /// Of the video, or of the list of frame hashes of a PNG sequence.
    pub sha256: Hash,
    pub sheet: String,
    pub sheet_sha256: Hash,
    /// Frames shown, row by row.
    pub frames: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn films(count: u8) -> Vec<Hash> {
        (0..count).map(|n| Hash::of(&[n])).collect()
    }

    #[test]
    fn the_key_has_the_fields_of_its_schema() {
        let hash = Hash::of(b"");
        let film = KeyFilm {
            letter: "A".to_owned(),
            path: "a.mp4".to_owned(),
            sha256: hash,
            sheet: "A.png".to_owned(),
            sheet_sha256: hash,
            frames: vec![0],
        };
        let key = Key { format: 1, seed: None, grid: "4x4".to_owned(), cell: [1, 2], films: vec![film] };
        let key = serde_json::to_value(&key).unwrap();
        let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
        let names = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(names(&key), names(&schema["properties"]));
        assert_eq!(names(&key["films"][0]), names(&schema["properties"]["films"]["items"]["properties"]));
    }

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!([0, 25, 26, 27, 51, 52, 701, 702].map(letter), ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn the_letters_are_a_shuffle_that_follows_the_films_not_their_order() {
        let films = films(7);
        let given = letters(&films, None);
        assert_eq!(given.iter().collect::<BTreeSet<_>>().len(), 7);
        assert_eq!(given, letters(&films, None));
        let mut turned: Vec<Hash> = films.clone();
        turned.rotate_left(3);
        let mut expected = given.clone();
        expected.rotate_left(3);
        assert_eq!(letters(&turned, None), expected);
    }

    #[test]
    fn another_seed_or_another_film_shuffles_anew() {
        let films = films(8);
        let ways: BTreeSet<_> = (0..50).map(|seed| letters(&films, Some(seed))).collect();
        assert!(ways.len() >= 49, "{} ways", ways.len());
        assert_ne!(letters(&films, None), letters(&films, Some(0)));
        // The same seven, before and after an eighth came.
        assert_ne!(letters(&films, Some(1))[..7], letters(&films[..7], Some(1))[..]);
    }

    #[test]
    fn every_film_gets_every_letter_about_as_often() {
        let films = films(3);
        let mut counts = [[0; 3]; 3];
        for seed in 0..3000 {
            for (film, letter) in letters(&films, Some(seed)).iter().enumerate() {
                counts[film][(letter.as_bytes()[0] - b'A') as usize] += 1;
            }
        }
        // 1000 expected, standard deviation 26.
        assert!(counts.iter().flatten().all(|&n: &i32| (n - 1000).abs() < 130), "{counts:?}");
    }

    #[test]
    fn two_equal_films_and_none_are_no_trouble() {
        assert_eq!(letters(&[], None), Vec::<String>::new());
        let twice = [Hash::of(b"x"), Hash::of(b"x")];
        assert_eq!(letters(&twice, None).iter().collect::<BTreeSet<_>>().len(), 2);
    }
}
