import { memoize } from '@kubeadmit/base';
import { loadLocation, parseInt64, quote, type ZoneError, type ZoneOffset } from '@kubeadmit/go';

/**
 * Finds a time zone by the second argument of CEL's timestamp accessors: an IANA name, or an offset `±HH:MM` when
 * there is a colon in it, with the texts of Go's `time.LoadLocation` and `strconv.Atoi`. Recent ones are remembered.
 */
export const findZone: (name: string) => ZoneOffset | ZoneError = memoize((name) =>
  name.includes(':') ? fixedZone(name) : loadLocation(name),
);

function fixedZone(name: string): ZoneOffset | ZoneError {
  const colon = name.indexOf(':');
  const hours = parseInt64(name.slice(0, colon));
  if (typeof hours === 'string') return notInteger(name.slice(0, colon), hours);
  const minutes = parseInt64(name.slice(colon + 1));
  if (typeof minutes === 'string') return notInteger(name.slice(colon + 1), minutes);
  const total = BigInt.asIntN(64, hours * 60n + (name.startsWith('-') ? -minutes : minutes));
  // Go multiplies nanoseconds in 64 bits, so that a huge offset wraps around.
  const offset = Math.trunc(Number(BigInt.asIntN(64, total * 60_000_000_000n)) / 1e9);
  return () => offset;
}

function notInteger(text: string, problem: string): ZoneError {
  return { error: `strconv.Atoi: parsing ${quote(text)}: ${problem}` };
}
