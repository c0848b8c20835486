//! Tests on a real adapter (lavapipe will do). Without one they fail.
