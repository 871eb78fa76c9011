import type { addPasskey, signInWithPasskey, startPasskey } from "@marketday/contracts/admin/session";
import type { Input, Output } from "@marketday/contracts/endpoint";
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

import * as t from "#messages/session";

type Options = Output<typeof startPasskey>;
type NewPasskey = Input<typeof addPasskey>["body"]["passkey"];
type PasskeyProof = Input<typeof signInWithPasskey>["body"]["proof"];

/** A failure of the device or browser, in words that say what to do. */
class PasskeyFailure extends Error {
  override name = "PasskeyFailure";
}

/** Whether this browser has passkeys here: none does on plain http, except on localhost. */
export const browserHasPasskeys = (): boolean => window.isSecureContext && browserSupportsWebAuthn();

/** By the name of the exception (WebAuthn Level 3, §5.1). */
const messages: Readonly<Record<string, string>> = {
  InvalidStateError: t.passkeyThere,
  SecurityError: t.passkeyAddress,
  NotSupportedError: t.passkeyUnsupported,
  ConstraintError: t.passkeyUnsupported,
};

/** Runs a dialog of the browser. @returns null: the person closed it, or let it time out */
async function inDialog<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError") return null;
    throw new PasskeyFailure(messages[name] ?? t.passkeyFailed, { cause: error });
  }
}

/** Creates a passkey on a device that the person chooses. @returns null: closed. @throws PasskeyFailure */
export const createPasskey = (options: Options): Promise<NewPasskey | null> =>
  inDialog(async () => {
    const { id, rawId, response, clientExtensionResults } = await startRegistration({
      // The server makes them with `@simplewebauthn/server`; the contract leaves their inside open.
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    });
    const { clientDataJSON, attestationObject, transports } = response;
    return {
      id,
      rawId,
      type: "public-key",
      response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
      clientExtensionResults: { ...clientExtensionResults },
    };
  });

/** Signs a challenge with a passkey. @returns null: closed. @throws PasskeyFailure */
export const proveWithPasskey = (options: Options): Promise<PasskeyProof | null> =>
  inDialog(async () => {
    const { id, rawId, response, clientExtensionResults } = await startAuthentication({
      optionsJSON: options,
    });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return {
      id,
      rawId,
      type: "public-key",
      response: { clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) },
      clientExtensionResults: { ...clientExtensionResults },
    };
  });
