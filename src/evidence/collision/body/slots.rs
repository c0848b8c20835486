//! Which instance was drawn where: by their positions, since programs put instances into any order.

use rustc_hash::FxHashMap;

/// The first, middle and last position of an instance, bit by bit.
type Key = [[u32; 4]; 3];

/// Where an instance came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// From the place of the one with its number.
    Own,
    /// Another one was drawn from the same positions: it stands where that one stood. `left`: nobody is in its own place now.
    There { left: bool },
    /// The one with its number is another one now.
    Unknown,
}

/// Instances of two frames.
#[derive(Debug)]
pub(super) struct Slots {
    before: FxHashMap<Key, usize>,
    now: FxHashMap<Key, usize>,
}

impl Slots {
    /// From all positions, `size` an instance.
    pub(super) fn new(before: &[[f32; 4]], now: &[[f32; 4]], size: usize) -> Self {
        let of = |positions: &[[f32; 4]]| {
            let mut slots = FxHashMap::default();
            for (number, instance) in positions.chunks(size.max(1)).enumerate() {
                if let Some(key) = key(instance) {
                    slots.entry(key).or_insert(number);
                }
            }
            slots
        };
        Self { before: of(before), now: of(now) }
    }

    /// Of the instance `number`, drawn from `now`, in whose place `own` was drawn.
    pub(super) fn came(&self, now: &[[f32; 4]], own: &[[f32; 4]], number: usize) -> Came {
        let (Some(is), Some(was)) = (key(now), key(own)) else { return Came::Own };
        if is == was {
            return Came::Own;
        }
        let elsewhere = |slots: &FxHashMap<Key, usize>, key| slots.get(&key).is_some_and(|slot| *slot != number);
        let taken = elsewhere(&self.now, was);
        if elsewhere(&self.before, is) {
            Came::There { left: !taken }
        } else if taken {
            Came::Unknown
        } else {
            Came::Own
        }
    }
}

/// `None` of an instance that is no shape: all in one point, as those are put that shall not show.
fn key(instance: &[[f32; 4]]) -> Option<Key> {
    let bits = |position: &[f32; 4]| position.map(f32::to_bits);
    let middle = instance.get(instance.len() / 2)?;
    let key = [bits(instance.first()?), bits(middle), bits(instance.last()?)];
    (key[0] != key[1] || key[1] != key[2]).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(places: &[f32]) -> Vec<[f32; 4]> {
        places.iter().flat_map(|x| [0.0, 0.5, 1.0].map(|corner| [x + corner, corner, 0.0, 1.0])).collect()
    }

    fn came(before: &[f32], now: &[f32]) -> Vec<Came> {
        let (before, now) = (at(before), at(now));
        let slots = Slots::new(&before, &now, 3);
        now.chunks(3).zip(before.chunks(3)).enumerate().map(|(n, (now, own))| slots.came(now, own, n)).collect()
    }

    #[test]
    fn instances_are_known_wherever_they_are_drawn() {
        use Came::{Own, Unknown};
        let [there, left] = [false, true].map(|left| Came::There { left });
        assert_eq!(came(&[1.0, 5.0, 9.0], &[1.0, 5.0, 9.0]), [Own; 3]);
        assert_eq!(came(&[1.0, 5.0, 9.0], &[9.0, 1.0, 5.0]), [there; 3], "sorted anew");
        assert_eq!(came(&[1.0, 5.0, 9.0], &[5.0, 9.0, 14.0]), [left, there, Unknown], "a pool that goes along");
        assert_eq!(came(&[1.0, 5.0, 9.0], &[14.0, 1.0, 9.0]), [Unknown, left, Own], "a new one in the first's place");
        assert_eq!(came(&[1.0, 5.0, 9.0], &[1.5, 5.5, 9.5]), [Own; 3], "all go on");
    }
}
