//! How a draw's vertices make triangles.

use std::sync::Arc;

use crate::gl::observe::ObservedDraw;

#[derive(Clone, Debug)]
enum Kind {
    Plain,
    List(Arc<[u32]>),
    /// From a strip.
    Triangles(Option<Arc<[u32]>>, Vec<[u32; 3]>),
}

/// The triangles of one instance.
#[derive(Clone, Debug)]
pub struct Topology {
    kind: Kind,
    /// Triangles an instance has.
    pub each: usize,
    /// Vertices an instance has.
    pub vertices: usize,
}

impl Default for Topology {
    fn default() -> Self {
        Self { kind: Kind::Plain, each: 0, vertices: 0 }
    }
}

impl Topology {
    /// Takes how the draw's vertices make triangles; is that new?
    pub fn take(&mut self, draw: &ObservedDraw) -> bool {
        let vertices = draw.vertices as usize;
        let same = |old: Option<&Arc<[u32]>>| match (old, &draw.indices) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => self.vertices == vertices,
            _ => false,
        };
        let known = match &self.kind {
            Kind::Plain => !draw.strip && same(None),
            Kind::List(old) => !draw.strip && same(Some(old)),
            Kind::Triangles(old, _) => draw.strip && self.vertices == vertices && same(old.as_ref()),
        };
        self.vertices = vertices;
        if known {
            return false;
        }
        (self.kind, self.each) = match (&draw.indices, draw.strip) {
            (None, false) => (Kind::Plain, vertices / 3),
            (Some(indices), false) => (Kind::List(indices.clone()), indices.len() / 3),
            (indices, true) => {
                let all: Vec<u32>;
                let source: &[u32] = match indices {
                    Some(indices) => indices,
                    None => {
                        all = (0..draw.vertices).collect();
                        &all
                    }
                };
                let mut triangles = Vec::with_capacity(source.len());
                for run in source.split(|index| *index as usize >= vertices) {
                    for (at, three) in run.windows(3).enumerate() {
                        if let [a, b, c] = *three {
                            triangles.push(if at % 2 == 0 { [a, b, c] } else { [b, a, c] });
                        }
                    }
                }
                let each = triangles.len();
                (Kind::Triangles(indices.clone(), triangles), each)
            }
        };
        true
    }

    /// The vertices of a triangle of an instance.
    pub fn corners(&self, triangle: usize) -> Option<[usize; 3]> {
        let three = match &self.kind {
            Kind::Plain => [triangle * 3, triangle * 3 + 1, triangle * 3 + 2],
            Kind::List(indices) => {
                let [a, b, c] = *indices.as_chunks::<3>().0.get(triangle)?;
                [a as usize, b as usize, c as usize]
            }
            Kind::Triangles(_, triangles) => triangles.get(triangle)?.map(|corner| corner as usize),
        };
        three.iter().all(|corner| *corner < self.vertices).then_some(three)
    }
}
