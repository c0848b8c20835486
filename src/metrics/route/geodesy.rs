//! WGS84 to local metres: east, north, up of a point, through earth-centred coordinates, without approximation.

use glam::{DMat3, DVec3};

/// WGS84: semi-major axis in metres, and flattening.
const A: f64 = 6_378_137.0;
const F: f64 = 1.0 / 298.257_223_563;
const E2: f64 = F * (2.0 - F);

/// Degrees and metres above the ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geodetic {
    pub lat: f64,
    pub lon: f64,
    pub height: f64,
}

/// Earth-centred, earth-fixed metres.
fn ecef(p: Geodetic) -> DVec3 {
    let (lat, lon) = (p.lat.to_radians(), p.lon.to_radians());
    let (sin, cos) = (libm::sin(lat), libm::cos(lat));
    let n = A / (1.0 - E2 * sin * sin).sqrt();
    let across = (n + p.height) * cos;
    DVec3::new(across * libm::cos(lon), across * libm::sin(lon), (n * (1.0 - E2) + p.height) * sin)
}

/// The tangent plane at a point.
#[derive(Clone, Copy, Debug)]
pub struct TangentPlane {
    origin: DVec3,
    /// Rows: east, north, up.
    axes: DMat3,
}

impl TangentPlane {
    pub fn at(p: Geodetic) -> Self {
        let (lat, lon) = (p.lat.to_radians(), p.lon.to_radians());
        let (slat, clat, slon, clon) = (libm::sin(lat), libm::cos(lat), libm::sin(lon), libm::cos(lon));
        let east = DVec3::new(-slon, clon, 0.0);
        let north = DVec3::new(-slat * clon, -slat * slon, clat);
        let up = DVec3::new(clat * clon, clat * slon, slat);
        Self { origin: ecef(p), axes: DMat3::from_cols(east, north, up).transpose() }
    }

    /// East, north, up in metres.
    pub fn local(&self, p: Geodetic) -> DVec3 {
        self.axes * (ecef(p) - self.origin)
    }

    /// The inverse of [`Self::local`], to 1e-11 degrees and 1e-6 m near the ground.
    pub fn geodetic(&self, local: DVec3) -> Geodetic {
        let p = self.axes.transpose() * local + self.origin;
        let across = p.x.hypot(p.y);
        let mut lat = libm::atan2(p.z, across * (1.0 - E2));
        let mut height = 0.0;
        // The fixed point is reached to a double's precision within a few rounds below 10 km.
        for _ in 0..8 {
            let sin = libm::sin(lat);
            let n = A / (1.0 - E2 * sin * sin).sqrt();
            height = across * libm::cos(lat) + p.z * sin - A * (1.0 - E2 * sin * sin).sqrt();
            lat = libm::atan2(p.z + E2 * n * sin, across);
        }
        Geodetic { lat: lat.to_degrees(), lon: libm::atan2(p.y, p.x).to_degrees(), height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geodetic(lat: f64, lon: f64, height: f64) -> Geodetic {
        Geodetic { lat, lon, height }
    }

    #[track_caller]
    fn near(found: DVec3, expected: [f64; 3]) {
        assert!((found - DVec3::from(expected)).length() < 1e-6, "{found} instead of {expected:?}");
    }

    #[test]
    fn values_of_pymap3d() {
        near(ecef(geodetic(42.0, -82.0, 200.0)), [660_675.251_824_733, -4_700_948.683_162_267, 4_245_737.662_222_387]);
        near(
            TangentPlane::at(geodetic(50.0875, 14.4213, 190.0)).local(geodetic(50.0912, 14.4021, 260.0)),
            [-1_374.008_554_752_543_7, 411.747_279_048_289_4, 69.838_999_601_043_75],
        );
        near(
            TangentPlane::at(geodetic(-33.8568, 151.2153, 4.0)).local(geodetic(-33.9, 151.25, 12.5)),
            [3_209.509_809_823_393_4, -4_792.302_702_493_395, 5.886_460_123_222_15],
        );
        let back = TangentPlane::at(geodetic(50.09, 14.4, 250.0)).geodetic(DVec3::new(1234.5, -678.9, 55.0));
        assert!((back.lat - 50.083_895_482_309_27).abs() < 1e-10, "{back:?}");
        assert!((back.lon - 14.417_247_804_068_738).abs() < 1e-10, "{back:?}");
        assert!((back.height - 305.155_387_434_007_3).abs() < 1e-5, "{back:?}");
    }
}
