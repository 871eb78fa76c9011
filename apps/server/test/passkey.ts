import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

/** CBOR (RFC 8949) of what an attestation holds: small integers, byte strings, texts and maps. */
type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

function head(major: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(major << 5) | n]);
  if (n < 256) return Buffer.from([(major << 5) | 24, n]);
  return Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
  return Buffer.concat([head(2, value.length), value]);
}

/** Bits of the authenticator's flags (WebAuthn §6.1). */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const BACKUP = 0x08 | 0x10;
const HAS_KEY = 0x40;

/** What a page passes to `navigator.credentials`, as JSON; only what an authenticator reads. */
interface Options {
  challenge: string;
  rpId?: string;
  rp?: { id?: string };
  user?: { id: string };
}

/** What a test changes of an answer, to be refused. */
interface Changes {
  origin?: string;
  rpId?: string;
  /** The user was present, but did not show who they are. */
  unverified?: boolean;
  /** Null: none. */
  userHandle?: string | null;
  challenge?: string;
  /** The counter that is sent, instead of the next one. */
  counter?: number;
}

/** A software authenticator with one passkey (ES256, attestation "none"), in a browser at `origin`. */
export class TestPasskey {
  readonly id = base64url(randomBytes(32));
  readonly origin: string;
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  readonly #counts: boolean;
  #counter = 0;
  #userHandle: string | undefined;

  /** `counts`: it counts its signatures, as a hardware key does; else it always sends 0 and is synced, as a password manager's. */
  constructor(origin = "http://localhost", { counts = true }: { counts?: boolean } = {}) {
    this.origin = origin;
    this.#counts = counts;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    // COSE (RFC 9053): key type 2 (EC2), algorithm -7 (ES256), curve 1 (P-256).
    this.#publicKey = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
  }

  #authenticatorData(rpId: string, flags: number, counter: number, rest: Uint8Array): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | (this.#counts ? 0 : BACKUP)]), count, rest]);
  }

  #clientData(type: "webauthn.create" | "webauthn.get", challenge: string, origin = this.origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** Creates the passkey: the answer of `navigator.credentials.create`. */
  create({ challenge, rp, user }: Options, changes: Changes = {}) {
    this.#userHandle = user?.id;
    const id = Buffer.from(this.id, "base64url");
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#publicKey]);
    const flags = PRESENT | HAS_KEY | (changes.unverified ? 0 : VERIFIED);
    const authData = this.#authenticatorData(changes.rpId ?? rp?.id ?? "", flags, this.#counter, credential);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: base64url(
          this.#clientData("webauthn.create", changes.challenge ?? challenge, changes.origin ?? this.origin),
        ),
        attestationObject: base64url(
          cbor(
            new Map<string, Cbor>([
              ["fmt", "none"],
              ["attStmt", new Map()],
              ["authData", authData],
            ]),
          ),
        ),
        transports: ["internal"],
      },
      clientExtensionResults: {},
    };
  }

  /** Uses the passkey: the answer of `navigator.credentials.get`. */
  get({ challenge, rpId }: Options, changes: Changes = {}) {
    if (this.#counts) this.#counter += 1;
    const flags = PRESENT | (changes.unverified ? 0 : VERIFIED);
    const authData = this.#authenticatorData(
      changes.rpId ?? rpId ?? "",
      flags,
      changes.counter ?? this.#counter,
      new Uint8Array(),
    );
    const clientData = this.#clientData("webauthn.get", changes.challenge ?? challenge, changes.origin ?? this.origin);
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(sign("sha256", Buffer.concat([authData, sha256(clientData)]), this.#key)),
        userHandle: changes.userHandle === undefined ? this.#userHandle : (changes.userHandle ?? undefined),
      },
      clientExtensionResults: {},
    };
  }
}
