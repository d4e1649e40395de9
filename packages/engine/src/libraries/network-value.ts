import { memoize } from '@kubeadmit/base';
import { CelError } from '@kubeadmit/cel';
import type { FunctionRow } from '@kubeadmit/cel/declarations';
import { OpaqueValue } from '@kubeadmit/cel/values';

/** A value of the libraries for networks: `string()` gives the text that it has everywhere. */
export abstract class NetworkValue extends OpaqueValue {
  abstract override text(): string;

  override toString(): string {
    return this.text();
  }
}

/** Parses values or returns the error; recent ones are memoized, since they never change. */
export function networkReader<Read extends NetworkValue>(
  read: (text: string) => Read | string,
): (text: string) => Read | CelError {
  return memoize((text) => {
    const value = read(text);
    return typeof value === 'string' ? new CelError(value) : value;
  });
}

/** Functions of every kind of network value: `read(text)`, a test for valid strings, and `string(value)`. */
export function textFunctions(
  type: string,
  names: { readonly read: string; readonly test: string },
  ids: { readonly read: string; readonly test: string; readonly print: string },
  read: (text: string) => NetworkValue | CelError,
): readonly FunctionRow[] {
  return [
    [names.read, ids.read, `(string) -> ${type}`, read],
    [names.test, ids.test, '(string) -> bool', (text: string) => !(read(text) instanceof CelError)],
    ['string', ids.print, `(${type}) -> string`, (value: NetworkValue) => value.text()],
  ];
}
