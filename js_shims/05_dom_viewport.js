// The size of the window: the picture's size over the pixel ratio, in CSS px; fixed for a run.
import { op_setup } from "ext:core/ops";

const setup = op_setup();
const viewport = { __proto__: null, width: setup.width, height: setup.height, ratio: setup.pixelRatio };

export { setup, viewport };
