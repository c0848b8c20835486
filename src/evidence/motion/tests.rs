//! A camera that slides along a wall with a pattern, and pictures of what it sees or of something else.

use super::*;

const SIZE: (u32, u32) = (192, 108);

/// A wall 10 away, filling the picture, of a pattern without repetition: smooth noise with features of some pixels.
fn wall(x: f64, y: f64) -> f64 {
    let corner = |i: i64, j: i64| {
        let mut h = (i.wrapping_mul(0x9E37_79B9) ^ j.wrapping_mul(0x85EB_CA6B)) as u64;
        h = (h ^ (h >> 15)).wrapping_mul(0xD168_AAAD_2E6F_5B13);
        ((h >> 32) & 0xff) as f64 / 255.0
    };
    let (i, j) = (x.floor(), y.floor());
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let (u, v) = (smooth(x - i), smooth(y - j));
    let at = |di: i64, dj: i64| corner(i as i64 + di, j as i64 + dj);
    (at(0, 0) * (1.0 - u) + at(1, 0) * u) * (1.0 - v) + (at(0, 1) * (1.0 - u) + at(1, 1) * u) * v
}

/// A camera at (x, 0, 0), 90° high, looks along −z at the wall, 20 high.
fn sighting(x: f64) -> Sighting {
    let aspect = f64::from(SIZE.0) / f64::from(SIZE.1);
    let (near, far) = (0.1, 100.0);
    let mut projection = DMat4::from_diagonal([1.0 / aspect, 1.0, (near + far) / (near - far), 0.0].into());
    (projection.z_axis.w, projection.w_axis.z) = (-1.0, 2.0 * near * far / (near - far));
    let anchors =
        (0..256).map(|n| DVec3::new(x + f64::from(n % 16) * 2.0 - 15.0, f64::from(n / 16) - 7.5, -10.0)).collect();
    Sighting { view_projection: projection * DMat4::from_translation(DVec3::new(-x, 0.0, 0.0)), anchors }
}

/// The picture from there, with everything multiplied and shifted in brightness.
fn picture(x: f64, scale: f64) -> Thumb {
    let (width, height) = SIZE;
    let unit = 20.0 / f64::from(height);
    let mut rgba = Vec::new();
    for row in 0..height {
        for column in 0..width {
            let at = |n: u32, of: u32| (f64::from(n) + 0.5 - f64::from(of) / 2.0) * unit;
            let value = (wall(x + at(column, width), -at(row, height)) * scale * 255.0) as u8;
            rgba.extend([value, value, value, 255]);
        }
    }
    Thumb::of(&rgba, width, height)
}

/// Three seconds at 30 frames a second; the camera slides by 1.2 a frame, 6.5 pixels, and `shown` tells what is filmed.
fn film(mut shown: impl FnMut(f64) -> Thumb) -> PictureMotion {
    let witness = Witness::new(30.0);
    for frame in (0..90).filter(|frame| witness.wants(*frame)) {
        let x = frame as f64 * 1.2;
        witness.sighting(frame, Some(sighting(x)));
        witness.picture(frame, shown(x));
    }
    witness.told()
}

#[test]
fn what_the_camera_sees_is_where_it_belongs() {
    let told = film(|x| picture(x, 1.0));
    assert_eq!((told.looks, told.against, told.first_against), (6, 0, None));
    assert!(told.found.unwrap() > 0.99, "{told:?}");
    // It gets darker.
    let mut light = 1.0;
    let told = film(|x| {
        light *= 0.97;
        picture(x, light)
    });
    assert!(told.looks >= 4 && told.against == 0, "{told:?}");
}

#[test]
fn another_film_is_elsewhere() {
    let back = film(|x| picture(-x, 1.0));
    assert_eq!((back.looks, back.against, back.first_against), (6, 6, Some(0)), "the other way");
    // A tenth is like by chance.
    assert!(back.found.unwrap() < 0.2, "{back:?}");
    let slow = film(|x| picture(500.0 + x * 0.1, 1.0));
    assert_eq!((slow.looks, slow.against), (6, 6), "{slow:?}");
    assert_eq!(film(|_| picture(3.0, 1.0)).against, 6, "a picture that stands");
}

#[test]
fn nothing_to_see_tells_nothing() {
    let plain = film(|_| Thumb::of(&[90; 192 * 108 * 4], 192, 108));
    assert_eq!((plain.looks, plain.found), (0, None));
    // A camera that stands.
    let witness = Witness::new(30.0);
    for frame in (0..60).filter(|frame| witness.wants(*frame)) {
        witness.picture(frame, picture(frame as f64, 1.0));
        witness.sighting(frame, Some(sighting(0.0)));
    }
    assert_eq!(witness.told(), PictureMotion::default());
    // Nobody knows what it sees.
    let witness = Witness::new(30.0);
    for frame in (0..60).filter(|frame| witness.wants(*frame)) {
        witness.sighting(frame, None);
        witness.picture(frame, picture(0.0, 1.0));
    }
    assert_eq!(witness.told(), PictureMotion::default());
}

#[test]
fn who_is_first_does_not_matter() {
    let together = film(|x| picture(-x, 1.0));
    let witness = Witness::new(30.0);
    let wanted = || (0..90).filter(|frame| frame % 15 <= WITHIN);
    wanted().for_each(|frame| witness.picture(frame, picture(frame as f64 * -1.2, 1.0)));
    wanted().for_each(|frame| witness.sighting(frame, Some(sighting(frame as f64 * 1.2))));
    assert_eq!(witness.told(), together);
}

/// The mean of four by four pixels, of all there are where the picture is smaller.
#[test]
fn thumbs_are_means() {
    let rgba: Vec<u8> = (0..768 * 432).flat_map(|n| [(n % 768 % 4 * 80) as u8; 3].into_iter().chain([255])).collect();
    let thumb = Thumb::of(&rgba, 768, 432);
    assert_eq!(thumb.size(), (192, 108));
    assert_eq!(thumb.square::<9>(100, 50, 1).unwrap(), [120.0; 9]);
    let small = Thumb::of(&[10, 10, 10, 255, 30, 30, 30, 255], 2, 1);
    assert_eq!((small.size(), small.square::<1>(1, 0, 0)), ((2, 1), Some([30.0])));
    assert_eq!(small.square::<9>(0, 0, 1), None);
    assert_eq!(Thumb::of(&[7; 1080 * 1920 * 4], 1080, 1920).size(), (108, 192));
}
