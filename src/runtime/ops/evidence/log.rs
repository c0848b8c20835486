//! Reads the log of numbers that `js_shims/11_evidence*.js` write in a frame.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};

use crate::scene::{CameraState, ClippedObject, FrameScene, ObjectNumber, PlacedObject, RenderCall, TrackedObject, Up};

type Bounds = ([f64; 3], [f64; 3]);

/// What outlives a frame, and what is waiting for the log.
#[derive(Debug, Default)]
pub struct Log {
    /// Local boxes by object, as last told.
    bounds: BTreeMap<ObjectNumber, Option<Bounds>>,
    /// The tracked object that parts follow: its number, world to local, and whether a part has come.
    told: Option<(ObjectNumber, DMat4, bool)>,
    /// Places of instances, told before the log that names their object.
    places: BTreeMap<ObjectNumber, Vec<[f32; 4]>>,
}

/// Name and type of an object.
pub type LabelOf<'a> = dyn Fn(ObjectNumber) -> (String, String) + 'a;

impl Log {
    pub fn places(&mut self, object: ObjectNumber, places: Vec<[f32; 4]>) {
        self.places.insert(object, places);
    }

    /// Appends what the log says to `scene`. A record of an unknown kind, or one that is cut short, ends it.
    pub fn read(&mut self, mut numbers: impl Iterator<Item = f64>, label: &LabelOf<'_>, scene: &mut FrameScene) {
        while let Some(tag) = numbers.next() {
            if self.record(tag as u32, &mut numbers, label, scene).is_none() {
                break;
            }
        }
        for object in scene.drones.iter_mut().chain(&mut scene.pedestrians) {
            object.bounds = self.bounds.get(&object.number).copied().flatten();
            if let Some(places) = self.places.get(&object.number) {
                object.places.clone_from(places);
            }
        }
        self.places.clear();
    }

    fn record(
        &mut self,
        tag: u32,
        numbers: &mut impl Iterator<Item = f64>,
        label: &LabelOf<'_>,
        scene: &mut FrameScene,
    ) -> Option<()> {
        match tag {
            1 => {
                let [number, parent, of, to_target] = take(numbers)?;
                scene.renders.push(RenderCall {
                    number: number as u32,
                    parent: parent as u32,
                    scene: of as u32,
                    cameras: Vec::new(),
                    to_target: to_target != 0.0,
                    lights: 0,
                    scene_up: Up::Y,
                });
            }
            2 => {
                let [render, number, fov, near, far, layers, up] = take(numbers)?;
                let (matrix_world, projection, view) = (take(numbers)?, take(numbers)?, take(numbers)?);
                let (name, kind) = label(number as u32);
                let render = scene.renders.iter_mut().rev().find(|call| call.number == render as u32);
                if let Some(call) = render {
                    call.cameras.push(CameraState {
                        number: number as u32,
                        name,
                        kind,
                        matrix_world,
                        projection,
                        view,
                        fov: fov.is_finite().then_some(fov),
                        near,
                        far,
                        layers: layers as u32,
                        up: axis(up),
                    });
                }
            }
            3 => {
                let [of, lights, up] = take(numbers)?;
                for call in scene.renders.iter_mut().filter(|call| call.scene == of as u32) {
                    (call.lights, call.scene_up) = (lights as u32, axis(up));
                }
            }
            4 => {
                let [what, number, shown, instances, opacity, layers, moves_itself] = take(numbers)?;
                let matrix_world = take(numbers)?;
                let object = TrackedObject {
                    number: number as u32,
                    name: label(number as u32).0,
                    matrix_world,
                    bounds: None,
                    shown: shown != 0.0,
                    instances: instances as u32,
                    opacity,
                    layers: layers as u32,
                    moves_itself: moves_itself != 0.0,
                    places: Vec::new(),
                };
                self.told = Some((object.number, DMat4::from_cols_array(&matrix_world).inverse(), false));
                let list = if what as u32 == super::DRONE { &mut scene.drones } else { &mut scene.pedestrians };
                list.push(object);
            }
            5 => {
                let [number] = take(numbers)?;
                let (part, [x0, y0, z0, x1, y1, z1]) = (take(numbers)?, take(numbers)?);
                let number = number as u32;
                let Some((told, inverse, begun)) = &mut self.told else { return Some(()) };
                if *told != number {
                    return Some(());
                }
                let first = !std::mem::replace(begun, true);
                let local = *inverse * DMat4::from_cols_array(&part);
                let corners = [x0, x1].into_iter().flat_map(|x| {
                    [y0, y1].into_iter().flat_map(move |y| [z0, z1].into_iter().map(move |z| DVec3::new(x, y, z)))
                });
                let (mut min, mut max) = match self.bounds.get(&number).copied().flatten().filter(|_| !first) {
                    Some((min, max)) => (DVec3::from(min), DVec3::from(max)),
                    None => (DVec3::INFINITY, DVec3::NEG_INFINITY),
                };
                for corner in corners {
                    let at = local.transform_point3(corner);
                    (min, max) = (min.min(at), max.max(at));
                }
                let bounds = (min.is_finite() && max.is_finite()).then(|| (min.to_array(), max.to_array()));
                self.bounds.insert(number, bounds);
            }
            6 => {
                let [render, camera, object] = take(numbers)?;
                let matrix_world = take(numbers)?;
                let (render, camera, object) = (render as u32, camera as u32, object as u32);
                scene.placed.push(PlacedObject { render, camera, object, matrix_world });
            }
            7 => {
                let [number, place] = take(numbers)?;
                scene.shown.push((number as u32, place));
            }
            8 => {
                let [object, all, some] = take(numbers)?;
                let mut planes = |count: f64| -> Option<Vec<[f64; 4]>> {
                    (0..(count as usize).min(MOST_PLANES)).map(|_| take(numbers)).collect()
                };
                scene.clips.push(ClippedObject { object: object as u32, all: planes(all)?, some: planes(some)? });
            }
            9 => {
                let [object] = take(numbers)?;
                scene.faint.push(object as u32);
            }
            10 => {
                let [number] = take(numbers)?;
                scene.moved.push((number as u32, take(numbers)?));
            }
            _ => return None,
        }
        Some(())
    }
}

/// Planes that cut an object; a driver takes far fewer.
const MOST_PLANES: usize = 1024;

/// As `upOf` in `11_evidence_objects.js` has it.
fn axis(up: f64) -> Up {
    if up == 2.0 { Up::Z } else { Up::Y }
}

fn take<const N: usize>(numbers: &mut impl Iterator<Item = f64>) -> Option<[f64; N]> {
    let mut out = [0.0; N];
    for slot in &mut out {
        *slot = numbers.next()?;
    }
    Some(out)
}
