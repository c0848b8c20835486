//! Query objects.

use crate::gl::command::QueryId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryTarget {
    AnySamplesPassed,
    AnySamplesPassedConservative,
    TransformFeedbackPrimitivesWritten,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryState {
    /// Created, never begun.
    Idle,
    Active,
    /// Ended in task `task`; the result shows from the next task on (WebGL 2 §3.7.14).
    Ended {
        task: u64,
    },
}

#[derive(Debug)]
pub struct Query {
    /// Fixed by the first `beginQuery`.
    pub target: Option<QueryTarget>,
    pub state: QueryState,
    /// Occlusion queries.
    pub id: Option<QueryId>,
    /// Known result (primitives written, or an occlusion answer fetched once).
    pub result: Option<u32>,
}
