//! What is known of a value: a product of matrices, times a rest of which the inputs are known.

use super::Source;

/// Uniforms and blocks something may depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sources(Vec<u64>);

impl Sources {
    pub(super) fn insert(&mut self, id: Source) {
        let word = id as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << (id % 64);
        }
    }

    pub(super) fn contains(&self, id: Source) -> bool {
        self.0.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    pub(super) fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Source> + '_ {
        let words = (0u32..).zip(&self.0);
        words.flat_map(|(at, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit))
    }
}

/// `chain[0] · chain[1] · … · rest`, of mat4 uniforms and a rest (vec4 or mat4) that depends on `depends`, by data or
/// by control flow. Attributes and vertex and instance numbers are not told: all of them count always.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Value {
    pub chain: Vec<Source>,
    /// There is no rest: the value is that product of matrices.
    pub pure: bool,
    pub depends: Sources,
}

impl Value {
    pub(super) fn of(source: Source) -> Self {
        let mut value = Self::default();
        value.depends.insert(source);
        value
    }

    pub(super) fn matrix(source: Source) -> Self {
        Self { chain: vec![source], pure: true, depends: Sources::default() }
    }

    /// Everything it depends on, without saying how.
    pub(super) fn sources(&self) -> Sources {
        let mut all = self.depends.clone();
        self.chain.iter().for_each(|id| all.insert(*id));
        all
    }

    pub(super) fn flat(self) -> Self {
        Self { depends: self.sources(), ..Self::default() }
    }

    /// Some function of both.
    pub(super) fn mixed(&self, other: &Self) -> Self {
        let mut depends = self.sources();
        depends.add(&other.sources());
        Self { depends, ..Self::default() }
    }

    /// `self · other`, where `self` is a mat4 and `other` a mat4 or vec4: matrix products associate.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut depends = self.depends.clone();
        let mut chain = self.chain.clone();
        if self.pure {
            depends.add(&other.depends);
            chain.extend(&other.chain);
            return Self { chain, pure: other.pure, depends };
        }
        depends.add(&other.sources());
        Self { chain, pure: false, depends }
    }

    /// One of the two: which one, `self.depends` and `other.depends` must tell already.
    pub(super) fn either(&self, other: &Self) -> Self {
        if self.chain != other.chain || self.pure != other.pure {
            return self.mixed(other);
        }
        let mut depends = self.depends.clone();
        depends.add(&other.depends);
        Self { chain: self.chain.clone(), pure: self.pure, depends }
    }
}
