//! Query objects (WebGL 2 §3.7.12).

use crate::gl::command::Command;
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::{ObjectKind, ParameterValue};
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::query::{Query, QueryState, QueryTarget};

fn target(raw: u32) -> GlResult<QueryTarget> {
    match raw {
        c::ANY_SAMPLES_PASSED => Ok(QueryTarget::AnySamplesPassed),
        c::ANY_SAMPLES_PASSED_CONSERVATIVE => Ok(QueryTarget::AnySamplesPassedConservative),
        c::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN => Ok(QueryTarget::TransformFeedbackPrimitivesWritten),
        _ => Err(GlError::invalid_enum("unknown query target")),
    }
}

impl Context {
    pub fn create_query(&mut self) -> u32 {
        self.objects.queries.insert(Query { target: None, state: QueryState::Idle, id: None, result: None })
    }

    pub fn is_query(&self, query: u32) -> bool {
        self.objects.queries.get(query).is_some_and(|query| query.target.is_some())
    }

    pub fn delete_query(&mut self, name: u32) {
        for point in [&mut self.state.bindings.queries.occlusion, &mut self.state.bindings.queries.primitives_written] {
            if *point == name && name != 0 {
                *point = 0;
                // An occlusion query that is running ends here.
                if let Some(id) = self.objects.queries.get(name).and_then(|query| query.id) {
                    self.stream.commands.push(Command::EndQuery { id });
                }
            }
        }
        if let Some(query) = self.objects.queries.remove(name)
            && let Some(id) = query.id
        {
            self.push(Command::DeleteQuery { id });
        }
    }

    fn query_point(&mut self, target: QueryTarget) -> &mut u32 {
        let queries = &mut self.state.bindings.queries;
        match target {
            QueryTarget::TransformFeedbackPrimitivesWritten => &mut queries.primitives_written,
            _ => &mut queries.occlusion,
        }
    }

    pub fn begin_query(&mut self, raw: u32, name: u32) {
        let result = target(raw).and_then(|target| {
            let Some(query) = self.objects.queries.get(name) else {
                return Err(GlError::invalid_operation("the query has been deleted"));
            };
            if query.target.is_some_and(|other| other != target) {
                return Err(GlError::invalid_operation("the query was made for another target"));
            }
            if *self.query_point(target) != 0 {
                return Err(GlError::invalid_operation("a query is active for the target"));
            }
            Ok(target)
        });
        let target = match result {
            Ok(target) => target,
            Err(error) => return self.fail("beginQuery", error),
        };
        *self.query_point(target) = name;
        let occlusion = target != QueryTarget::TransformFeedbackPrimitivesWritten;
        let id = occlusion.then(|| self.ids.query());
        let Some(query) = self.objects.queries.get_mut(name) else { return };
        let old = std::mem::replace(&mut query.id, id);
        query.target = Some(target);
        query.state = QueryState::Active;
        query.result = if occlusion { None } else { Some(0) };
        if let Some(id) = old {
            self.push(Command::DeleteQuery { id });
        }
        if let Some(id) = id {
            self.push(Command::BeginQuery { id });
        }
    }

    pub fn end_query(&mut self, raw: u32) {
        let result = target(raw).and_then(|target| {
            let name = *self.query_point(target);
            match self.objects.queries.get(name) {
                Some(query) if query.target == Some(target) => Ok((target, name)),
                _ => Err(GlError::invalid_operation("no query is active for the target")),
            }
        });
        let (target, name) = match result {
            Ok(found) => found,
            Err(error) => return self.fail("endQuery", error),
        };
        *self.query_point(target) = 0;
        let task = self.task;
        if let Some(query) = self.objects.queries.get_mut(name) {
            query.state = QueryState::Ended { task };
            if let Some(id) = query.id {
                self.push(Command::EndQuery { id });
            }
        }
    }

    /// `getQuery(target, CURRENT_QUERY)`.
    pub fn get_query(&mut self, raw: u32, name: u32) -> ParameterValue {
        let result = target(raw).and_then(|target| {
            if name != c::CURRENT_QUERY {
                return Err(GlError::invalid_enum("pname must be CURRENT_QUERY"));
            }
            let query = *self.query_point(target);
            let matches = self.objects.queries.get(query).is_some_and(|query| query.target == Some(target));
            Ok(if matches { ParameterValue::Object(ObjectKind::Query, query) } else { ParameterValue::Null })
        });
        self.check("getQuery", result)
    }

    pub fn get_query_parameter(&mut self, name: u32, parameter: u32) -> ParameterValue {
        let task = self.task;
        let result = match self.objects.queries.get(name) {
            None => Err(GlError::invalid_operation("the query has been deleted")),
            Some(query) => match query.state {
                QueryState::Idle => Err(GlError::invalid_operation("the query has never run")),
                QueryState::Active => Err(GlError::invalid_operation("the query is active")),
                QueryState::Ended { task: ended } => Ok((ended < task, query.id, query.result)),
            },
        };
        let (available, id, known) = match result {
            Ok(found) => found,
            Err(error) => {
                self.fail("getQueryParameter", error);
                return ParameterValue::Null;
            }
        };
        match parameter {
            c::QUERY_RESULT_AVAILABLE => ParameterValue::Bool(available),
            // Before it is available the result reads as zero (WebGL 2 §3.7.12).
            c::QUERY_RESULT if !available => ParameterValue::Uint(0),
            c::QUERY_RESULT => {
                let result = known.or_else(|| {
                    let id = id?;
                    self.with_backend(|backend| backend.query_result(id)).map(u32::from)
                });
                if let Some(query) = self.objects.queries.get_mut(name) {
                    query.result = result;
                }
                ParameterValue::Uint(result.unwrap_or(0))
            }
            _ => {
                self.fail("getQueryParameter", GlError::invalid_enum("unknown query parameter"));
                ParameterValue::Null
            }
        }
    }
}
