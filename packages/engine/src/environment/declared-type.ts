import type { Type } from '@kubeadmit/cel';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  optionalOf,
  stringType,
  structType,
  timestampType,
  typeType,
  uintType,
} from '@kubeadmit/cel/types';

const namedTypes: ReadonlyMap<string, Type> = new Map([
  ['bool', boolType],
  ['bytes', bytesType],
  ['cidr', opaqueType('net.CIDR')],
  ['double', doubleType],
  ['duration', durationType],
  ['dyn', dynType],
  ['int', intType],
  ['ip', opaqueType('net.IP')],
  ['null_type', nullType],
  ['quantity', structType('kubernetes.Quantity')],
  ['semver', structType('kubernetes.Semver')],
  ['string', stringType],
  ['timestamp', timestampType],
  ['type', typeType],
  ['uint', uintType],
  ['url', structType('kubernetes.URL')],
]);

/** Parses a type such as `map<string, list<quantity>>`. Returns `undefined` if it is invalid. */
export function declaredType(text: string): Type | undefined {
  const reader = new TypeReader(text);
  const type = reader.type();
  return reader.isAtEnd ? type : undefined;
}

class TypeReader {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  get isAtEnd(): boolean {
    return this.#rest.trim() === '';
  }

  type(): Type | undefined {
    const name = this.#take(/^ *[\w.]+/).trim();
    switch (name) {
      case 'list': {
        const [element] = this.#parameters(1);
        return element && listOf(element);
      }
      case 'optional': {
        const [element] = this.#parameters(1);
        return element && optionalOf(element);
      }
      case 'map': {
        const [key, value] = this.#parameters(2);
        return key && value && mapOf(key, value);
      }
      default:
        return namedTypes.get(name);
    }
  }

  /** Parses `<type, …>`. Returns an empty list if the number of types differs. */
  #parameters(count: number): readonly Type[] {
    const found: Type[] = [];
    while (found.length < count) {
      const mark = this.#take(found.length === 0 ? /^</ : /^ *,/);
      const type = mark === '' ? undefined : this.type();
      if (type === undefined) return [];
      found.push(type);
    }
    return this.#take(/^ *>/) === '' ? [] : found;
  }

  #take(pattern: RegExp): string {
    const taken = pattern.exec(this.#rest)?.[0] ?? '';
    this.#rest = this.#rest.slice(taken.length);
    return taken;
  }
}
