//! Name tables: GL object names (0 = null) to objects.

/// Objects of one kind by name. Names are never reused, so a stale name never finds another object.
#[derive(Debug)]
pub struct Table<T> {
    slots: Vec<Option<Box<T>>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { slots: Vec::new() }
    }
}

impl<T> Table<T> {
    /// Stores `object`, returns its new name (≥ 1).
    pub fn insert(&mut self, object: T) -> u32 {
        self.slots.push(Some(Box::new(object)));
        self.slots.len() as u32
    }

    #[inline]
    pub fn get(&self, name: u32) -> Option<&T> {
        self.slots.get((name as usize).wrapping_sub(1))?.as_deref()
    }

    #[inline]
    pub fn get_mut(&mut self, name: u32) -> Option<&mut T> {
        self.slots.get_mut((name as usize).wrapping_sub(1))?.as_deref_mut()
    }

    pub fn contains(&self, name: u32) -> bool {
        self.get(name).is_some()
    }

    pub fn remove(&mut self, name: u32) -> Option<T> {
        self.slots.get_mut((name as usize).wrapping_sub(1))?.take().map(|object| *object)
    }

    /// Live objects in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.slots.iter().enumerate().filter_map(|(i, slot)| Some((i as u32 + 1, slot.as_deref()?)))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        self.slots.iter_mut().enumerate().filter_map(|(i, slot)| Some((i as u32 + 1, slot.as_deref_mut()?)))
    }
}
