import { scanJson } from '@kubeadmit/go/internal';
import { mapText } from './value.ts';

/** A JSON value that was read, or Go's text of what is wrong with it. */
export type JsonReading = { readonly value: unknown } | { readonly error: string };

/** Reads JSON with the values and the error texts of Go's `json.Unmarshal` into an empty interface. */
export function readJson(text: string): JsonReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: scanJson(text).error ?? '' };
  }
  const overflow = findOverflow(text);
  if (overflow !== undefined) {
    return { error: `json: cannot unmarshal number ${overflow} into Go value of type float64` };
  }
  return {
    value: /\\u[dD][89a-fA-F]|[\ud800-\udfff]/.test(text) ? mapText(value, wellFormed) : value,
  };
}

function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) =>
    found.length === 2 ? found : '\ufffd',
  );
}

function findOverflow(text: string): string | undefined {
  if (!/[eE]\+?\d{3}|\d{300}/.test(text)) return undefined;
  for (const [found, number] of text.matchAll(/"(?:[^"\\]|\\.)*"|(-?\d[\d.eE+-]*)/g)) {
    if (number !== undefined && !Number.isFinite(Number(number))) return found;
  }
  return undefined;
}
