import { CelError, Double, type Library, type Type, type Value } from '@kubeadmit/cel';
import { structType } from '@kubeadmit/cel/types';
import { CelMap, isList, isMap, mapGet, mapKeys, noOverload } from '@kubeadmit/cel/values';
import { encodeUtf8, readJson, readYaml } from '@kubeadmit/go';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { toCelValue } from '../../cel/cel-value.ts';
import { randomText } from '../../jmespath/functions/random-text.ts';
import { Failure } from '../../jmespath/steps/failure.ts';
import { contextTypes } from './context-value.ts';
import { functionsNamed } from './declare.ts';
import { jsonTextOf } from './json-form.ts';

/** The result type of `parseServiceAccount`. */
export const serviceAccountType: Type = structType('user.ServiceAccount');

const accountPrefix = 'system:serviceaccount:';

/** Names of service accounts (Kyverno's `kyverno.user`): `parseServiceAccount(request.userInfo.username).Name`. */
export const userLibrary: Library = {
  name: 'kyverno.user',
  functions: functionsNamed(
    [
      [
        'parseServiceAccount user.parseServiceAccount',
        'parse_service_account_string',
        '(string) -> ServiceAccount',
        (user: string) => {
          const rest = user.startsWith(accountPrefix) ? user.slice(accountPrefix.length) : '';
          const at = rest.indexOf(':');
          return at === -1
            ? { Name: '', Namespace: '' }
            : { Name: rest.slice(at + 1), Namespace: rest.slice(0, at) };
        },
      ],
    ],
    { ServiceAccount: serviceAccountType },
  ),
};

/** Hashes in hexadecimal digits (Kyverno's `kyverno.hash`): `hash.sha256("a")`. */
export const hashLibrary: Library = {
  name: 'kyverno.hash',
  functions: functionsNamed(
    Object.entries({ sha1, sha256, md5 }).map(([name, hash]) => [
      `${name} hash.${name}`,
      `${name}_string`,
      '(string) -> string',
      (text: string) => bytesToHex(hash(encodeUtf8(text))),
    ]),
  ),
};

/** Rounding to a number of digits (Kyverno's `kyverno.math`): `math.round(2.346, 2)` is 2.35. */
export const roundLibrary: Library = {
  name: 'kyverno.math',
  functions: functionsNamed([
    ['math.round', 'math_round_float_int', '(double, int) -> double', roundTo],
  ]),
};

function roundTo(value: Double | number, digits: Value): Value {
  const shift = 10 ** Number(digits);
  const shifted = (value instanceof Double ? value.value : value) * shift;
  const rounded = (Math.sign(shifted) * Math.round(Math.abs(shifted))) / shift;
  return toCelValue(rounded);
}

/** Decodes a text for `json.unmarshal`. */
export function unmarshalJson(_json: Value, text: Value): Value {
  if (typeof text !== 'string') return noOverload();
  const reading = readJson(text);
  return 'error' in reading ? new CelError(reading.error) : toCelValue(reading.value);
}

/** JSON texts (Kyverno's `kyverno.json`): `json.unmarshal("[1]")[0]`, `json.marshal({"a": 1})`. */
export const jsonLibrary: Library = {
  name: 'kyverno.json',
  types: [contextTypes.json],
  functions: functionsNamed(
    [
      ['unmarshal', 'unmarshal_string_dyn', 'Json.(dyn) -> dyn', unmarshalJson],
      [
        'marshal',
        'marshal_dyn_string',
        'Json.(dyn) -> string',
        (_json: Value, value: Value) => jsonTextOf(value),
      ],
    ],
    { Json: contextTypes.json },
  ),
};

/** YAML texts (Kyverno's `kyverno.yaml`): `yaml.parse("a: 1").a`. */
export const yamlLibrary: Library = {
  name: 'kyverno.yaml',
  types: [contextTypes.yaml],
  functions: functionsNamed(
    [
      [
        'parse',
        'parse_string_dyn',
        'Yaml.(string) -> dyn',
        (_yaml: Value, text: string) => {
          const reading = readYaml(text);
          if (!('error' in reading)) return toCelValue(reading.value);
          return new CelError(`error converting YAML to JSON: ${reading.error}`);
        },
      ],
    ],
    { Yaml: contextTypes.yaml },
  ),
};

/** Random texts (Kyverno's `kyverno.random`): `random("[a-z]{4}")`. */
export const randomLibrary: Library = {
  name: 'kyverno.random',
  functions: functionsNamed([
    ['random random.random', 'random_string', '(string) -> string', randomValue],
    [
      'random random.random',
      'random_string_default_expr',
      '() -> string',
      () => randomValue('[0-9a-z]{8}'),
    ],
  ]),
};

function randomValue(pattern: string): Value {
  const text = randomText(pattern);
  return text instanceof Failure ? new CelError(text.message) : text;
}

/** Lists of objects as a map (Kyverno's `kyverno.transform`): `listObjToMap(keys, values, "name", "value")`. */
export const transformLibrary: Library = {
  name: 'kyverno.transform',
  functions: functionsNamed([
    [
      'listObjToMap transform.listObjToMap',
      'list_of_object_to_map',
      '(list<dyn>, list<dyn>, string, string) -> map<dyn, dyn>',
      mapOfLists,
    ],
  ]),
};

function mapOfLists(keys: Value, values: Value, keyName: string, valueName: string): Value {
  if (!isList(keys) || !isList(values)) return noOverload();
  if (keys.length !== values.length) {
    return new CelError(
      `listObjToMap must take lists of equal length. list1: ${keys.length}, list2: ${values.length}`,
    );
  }
  const entries = new CelMap();
  for (const [index, holder] of keys.entries()) {
    const key = memberOf(holder, keyName);
    if (typeof key !== 'string') {
      return new CelError(
        'the passed key name cannot be handled as a string in the key object list',
      );
    }
    entries.set(key, memberOf(values[index] ?? null, valueName) ?? null);
  }
  return entries;
}

function memberOf(value: Value, name: string): Value | undefined {
  return isMap(value) && mapKeys(value).includes(name) ? mapGet(value, name) : undefined;
}
