import type { JsonObject } from '@kubeadmit/apimachinery';

const forms = new WeakMap<JsonObject, JsonObject>();

/**
 * Notes what the server holds of an object beyond what the object's version can say: a form that reads the same in that
 * version, from which other versions are made.
 */
export function keepInternalForm(object: JsonObject, form: JsonObject): void {
  forms.set(object, form);
}

/** The form of an object from which other versions are made; mostly the object itself. */
export function internalForm(object: JsonObject): JsonObject {
  return forms.get(object) ?? object;
}
