import type { JsonObject } from '@kubeadmit/apimachinery';

const forms = new WeakMap<JsonObject, JsonObject>();

/**
 * Records the server's internal form of an object: it reads the same in the object's version, and other versions are
 * converted from it.
 */
export function keepInternalForm(object: JsonObject, form: JsonObject): void {
  forms.set(object, form);
}

/** The form of an object from which other versions are made; mostly the object itself. */
export function internalForm(object: JsonObject): JsonObject {
  return forms.get(object) ?? object;
}
