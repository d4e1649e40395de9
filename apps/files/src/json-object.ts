import { isRecord } from '@kubeadmit/manifest';

/** Parses a JSON object, of whose members nothing is known; undefined for any other text. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isRecord(value) ? value : undefined;
}
