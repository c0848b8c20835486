//! Whole-shader tests.

mod corpus;
mod deqp;
