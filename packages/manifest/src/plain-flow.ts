import { setKey } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { readQuoted, Unusual } from './plain-scalar.ts';
import { resolveKey, resolveScalar } from './yaml-scalar.ts';

/** The value of a flow collection that ends with its line, or with a comment. */
export function readFlow(text: string): Value {
  const reader = new FlowReader(text);
  const value = reader.value();
  if (!/^(?: *$| +#)/.test(text.slice(reader.at))) throw new Unusual();
  return value;
}

const plainScalar = /[^\s[\]{},#&*!|>'"%@`?:-](?:[^[\]{},:#?]*[^\s[\]{},:#?])?/y;
const plainWithDash = /-[^\s[\]{},:#?-](?:[^[\]{},:#?]*[^\s[\]{},:#?])?/y;

class FlowReader {
  at = 0;
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Value {
    const next = this.#text[this.at];
    if (next === '[') return this.#nested(() => this.#list());
    if (next === '{') return this.#nested(() => this.#map());
    if (next === '"' || next === "'") return this.#quoted();
    const resolved = resolveScalar({ text: this.#plain(), plain: true });
    if ('value' in resolved) return resolved.value;
    throw new Unusual();
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > 50) throw new Unusual();
    this.at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #list(): Value[] {
    const items: Value[] = [];
    if (this.#ends(']')) return items;
    for (;;) {
      items.push(this.value());
      if (this.#ends(']')) return items;
      this.#comma();
    }
  }

  #map(): Record<string, Value> {
    const object: Record<string, Value> = {};
    if (this.#ends('}')) return object;
    for (;;) {
      const key = this.#key();
      if (Object.hasOwn(object, key)) throw new Unusual();
      if (this.#text[this.at] !== ':' || this.#text[this.at + 1] !== ' ') throw new Unusual();
      this.at++;
      this.#spaces();
      if (/[,}]/.test(this.#text[this.at] ?? ',')) throw new Unusual();
      setKey(object, key, this.value());
      if (this.#ends('}')) return object;
      this.#comma();
    }
  }

  #key(): string {
    const next = this.#text[this.at];
    if (next === '"' || next === "'") return this.#quoted();
    const text = this.#plain();
    const found = resolveKey({ text, plain: true });
    if (text === '<<' || !('key' in found)) throw new Unusual();
    return found.key;
  }

  #quoted(): string {
    const [text, end] = readQuoted(this.#text, this.at);
    this.at = end;
    return text;
  }

  #plain(): string {
    const pattern = this.#text[this.at] === '-' ? plainWithDash : plainScalar;
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new Unusual();
    this.at = pattern.lastIndex;
    return match[0];
  }

  #ends(bracket: string): boolean {
    this.#spaces();
    if (this.#text[this.at] !== bracket) return false;
    this.at++;
    return true;
  }

  #comma(): void {
    if (this.#text[this.at] !== ',') throw new Unusual();
    this.at++;
    this.#spaces();
  }

  #spaces(): void {
    while (this.#text[this.at] === ' ') this.at++;
  }
}
