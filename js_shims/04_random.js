// Math.random and crypto from the run's seed.
import { expose, exposeInterface, gap, illegal, illegalConstructor, primordials, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { op_digest, op_random, op_random_fill } from "ext:core/ops";

const {
  ArrayBufferIsView, ArrayPrototypeJoin, ArrayPrototypePush, DataViewPrototypeGetByteLength, ObjectDefineProperty, TypeError,
  TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetSymbolToStringTag, Uint8Array, PromiseReject, NumberPrototypeToString, StringPrototypePadStart,
} = primordials;

ObjectDefineProperty(Math, "random", {
  __proto__: null,
  value: { random() { return op_random(); } }.random,
  writable: true,
  configurable: true,
});

class SubtleCrypto {
  constructor(key) {
    illegalConstructor(key);
  }
}
SubtleCrypto.prototype.digest = function digest(algorithm, data) {
  const name = `${typeof algorithm === "object" && algorithm !== null ? algorithm.name : algorithm}`.toUpperCase();
  const bytes = ArrayBufferIsView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
  const hash = op_digest(name, bytes);
  if (hash.length > 0) return Promise.resolve(hash.buffer);
  unsupported("SubtleCrypto", `digest(${name})`, "rejects with NotSupportedError");
  return PromiseReject(gap(new DOMException("Unrecognized algorithm name", "NotSupportedError")));
};
for (const name of ["encrypt", "decrypt", "sign", "verify", "generateKey", "importKey", "exportKey", "deriveBits", "deriveKey", "wrapKey", "unwrapKey"]) {
  SubtleCrypto.prototype[name] = { [name]() {
    unsupported("SubtleCrypto", name, "rejects with NotSupportedError");
    return PromiseReject(gap(new DOMException(`SubtleCrypto.${name} is not supported`, "NotSupportedError")));
  } }[name];
}
exposeInterface(SubtleCrypto);
const subtle = new SubtleCrypto(illegal);

class Crypto {
  constructor(key) {
    illegalConstructor(key);
  }
  get subtle() {
    return subtle;
  }
  getRandomValues(array) {
    const tag = ArrayBufferIsView(array) ? TypedArrayPrototypeGetSymbolToStringTag(array) : undefined;
    if (tag === undefined) {
      throw new TypeError("Failed to execute 'getRandomValues' on 'Crypto': parameter 1 is not of type 'ArrayBufferView'.");
    }
    if (tag[0] === "F") {
      throw new DOMException("Failed to execute 'getRandomValues' on 'Crypto': The provided ArrayBufferView is of type '" + tag + "', which is not an integer array type.", "TypeMismatchError");
    }
    const length = TypedArrayPrototypeGetByteLength(array);
    if (length > 65536) {
      throw new DOMException("Failed to execute 'getRandomValues' on 'Crypto': The ArrayBufferView's byte length exceeds 65536.", "QuotaExceededError");
    }
    op_random_fill(new Uint8Array(TypedArrayPrototypeGetBuffer(array), TypedArrayPrototypeGetByteOffset(array), length));
    return array;
  }
  randomUUID() {
    const bytes = new Uint8Array(16);
    op_random_fill(bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [];
    for (let i = 0; i < 16; i++) {
      ArrayPrototypePush(hex, StringPrototypePadStart(NumberPrototypeToString(bytes[i], 16), 2, "0"));
      if (i === 3 || i === 5 || i === 7 || i === 9) ArrayPrototypePush(hex, "-");
    }
    return ArrayPrototypeJoin(hex, "");
  }
}
void DataViewPrototypeGetByteLength;
exposeInterface(Crypto);
expose("crypto", new Crypto(illegal));
