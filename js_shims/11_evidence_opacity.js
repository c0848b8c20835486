// Whether what is drawn with a material shows at all.
import { primordials } from "ext:replay/00_primordials.js";

const { ObjectGetOwnPropertyDescriptor } = primordials;

/** three.js' constants for `material.blending` and the factors of a custom one. */
const NORMAL = 1, ADDITIVE = 2, SUBTRACTIVE = 3, MULTIPLY = 4, CUSTOM = 5;
const ADD = 100, ONE = 201, SRC_ALPHA = 204, ONE_MINUS_SRC_ALPHA = 205;

/** What hides no more than this of what is behind it is not seen: a box to be hit, not to be touched. */
export const SEEN = 0.05;

/** Does a material without opacity leave the picture as it is? Most ways of blending heed alpha, some only where colours come multiplied by it. */
function blendsByAlpha({ transparent, blending, premultipliedAlpha, blendEquation, blendSrc, blendDst }) {
  // three.js draws what is not `transparent` without blending, but only where it would blend as usual.
  if (blending === undefined || blending === NORMAL) return transparent === true;
  if (blending === ADDITIVE) return true;
  if (blending === SUBTRACTIVE || blending === MULTIPLY) return premultipliedAlpha === true;
  return blending === CUSTOM && blendEquation === ADD && blendSrc === SRC_ALPHA && (blendDst === ONE_MINUS_SRC_ALPHA || blendDst === ONE);
}

/** Is alpha what the program's own shader, or node, makes of it? */
function makesAlpha(material) {
  return material.isShaderMaterial === true || ObjectGetOwnPropertyDescriptor(material, "onBeforeCompile") !== undefined ||
    isNode(material.opacityNode) || isNode(material.outputNode) || isNode(material.fragmentNode);
}

function isNode(value) {
  return typeof value === "object" && value !== null;
}

/** Does nothing drawn with it show: it lets through what is behind it, or leaves out all of itself? */
export function isUnseen(material) {
  if (typeof material !== "object" || material === null) return false;
  const { opacity, alphaTest } = material;
  const discards = alphaTest > opacity;
  if (typeof opacity !== "number" || opacity > SEEN && !discards || makesAlpha(material)) return false;
  return discards || material.alphaHash === true || !(material.transmission > 0) && blendsByAlpha(material);
}
