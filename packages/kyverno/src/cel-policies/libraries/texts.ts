import { CelError, Double, type Library, type Type, type Value } from '@kubeadmit/cel';
import {
  CelMap,
  doubleType,
  dynType,
  intType,
  isList,
  isMap,
  listType,
  mapGet,
  mapKeys,
  mapType,
  stringType,
  structType,
} from '@kubeadmit/cel/internal';
import { encodeUtf8 } from '@kubeadmit/go';
import { readYaml } from '@kubeadmit/go/internal';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Failure } from '../../jmespath/failure.ts';
import { randomText } from '../../jmespath/functions/random-text.ts';
import { toCelValue } from '../../policy/cel-value.ts';
import { contextTypes } from './context-value.ts';
import { type Form, functionsNamed, membersNamed } from './declare.ts';
import { jsonTextOf } from './json-form.ts';

/** The type of what `parseServiceAccount` gives. */
export const serviceAccountType: Type = structType('user.ServiceAccount');

const accountPrefix = 'system:serviceaccount:';

/** Names of service accounts (Kyverno's `kyverno.user`): `parseServiceAccount(request.userInfo.username).Name`. */
export const userLibrary: Library = {
  name: 'kyverno.user',
  functions: functionsNamed(['parseServiceAccount', 'user.parseServiceAccount'], {
    id: 'parse_service_account_string',
    parameters: [stringType],
    result: serviceAccountType,
    evaluate: (user: Value) => {
      const rest = String(user).startsWith(accountPrefix)
        ? String(user).slice(accountPrefix.length)
        : '';
      const at = rest.indexOf(':');
      return at === -1
        ? { Name: '', Namespace: '' }
        : { Name: rest.slice(at + 1), Namespace: rest.slice(0, at) };
    },
  }),
};

/** Hashes in hexadecimal digits (Kyverno's `kyverno.hash`): `hash.sha256("a")`. */
export const hashLibrary: Library = {
  name: 'kyverno.hash',
  functions: [
    ...functionsNamed(['sha1', 'hash.sha1'], hashForm('sha1', sha1)),
    ...functionsNamed(['sha256', 'hash.sha256'], hashForm('sha256', sha256)),
    ...functionsNamed(['md5', 'hash.md5'], hashForm('md5', md5)),
  ],
};

function hashForm(name: string, hash: (bytes: Uint8Array) => Uint8Array): Form {
  return {
    id: `${name}_string`,
    parameters: [stringType],
    result: stringType,
    evaluate: (text: Value) => bytesToHex(hash(encodeUtf8(text as string))),
  };
}

/** Rounding to a number of digits (Kyverno's `kyverno.math`): `math.round(2.346, 2)` is 2.35. */
export const roundLibrary: Library = {
  name: 'kyverno.math',
  functions: functionsNamed(['math.round'], {
    id: 'math_round_float_int',
    parameters: [doubleType, intType],
    result: doubleType,
    evaluate: (value: Value, digits: Value) => {
      const shift = 10 ** Number(digits);
      const shifted = (value instanceof Double ? value.value : (value as number)) * shift;
      const rounded = (Math.sign(shifted) * Math.round(Math.abs(shifted))) / shift;
      return toCelValue(rounded);
    },
  }),
};

/** JSON texts (Kyverno's `kyverno.json`): `json.unmarshal("[1]")[0]`, `json.marshal({"a": 1})`. */
export const jsonLibrary: Library = {
  name: 'kyverno.json',
  types: [contextTypes.json],
  functions: [
    ...membersNamed(['unmarshal'], {
      id: 'unmarshal_string_dyn',
      parameters: [contextTypes.json, dynType],
      result: dynType,
      evaluate: (_json: Value, text: Value) => {
        if (typeof text !== 'string') return new CelError('no such overload');
        try {
          return toCelValue(JSON.parse(text));
        } catch (error) {
          return new CelError(error instanceof Error ? error.message : String(error));
        }
      },
    }),
    ...membersNamed(['marshal'], {
      id: 'marshal_dyn_string',
      parameters: [contextTypes.json, dynType],
      result: stringType,
      evaluate: (_json: Value, value: Value) => jsonTextOf(value),
    }),
  ],
};

/** YAML texts (Kyverno's `kyverno.yaml`): `yaml.parse("a: 1").a`. */
export const yamlLibrary: Library = {
  name: 'kyverno.yaml',
  types: [contextTypes.yaml],
  functions: membersNamed(['parse'], {
    id: 'parse_string_dyn',
    parameters: [contextTypes.yaml, stringType],
    result: dynType,
    evaluate: (_yaml: Value, text: Value) => {
      const reading = readYaml(text as string);
      return 'error' in reading ? new CelError(reading.error) : toCelValue(reading.value);
    },
  }),
};

const defaultPattern = '[0-9a-z]{8}';

/** Random texts (Kyverno's `kyverno.random`): `random("[a-z]{4}")`. */
export const randomLibrary: Library = {
  name: 'kyverno.random',
  functions: functionsNamed(
    ['random', 'random.random'],
    {
      id: 'random_string',
      parameters: [stringType],
      result: stringType,
      evaluate: (pattern: Value) => randomValue(pattern as string),
    },
    {
      id: 'random_string_default_expr',
      parameters: [],
      result: stringType,
      evaluate: () => randomValue(defaultPattern),
    },
  ),
};

function randomValue(pattern: string): Value {
  const text = randomText(pattern);
  return text instanceof Failure ? new CelError(text.message) : text;
}

/** Lists of objects as a map (Kyverno's `kyverno.transform`): `listObjToMap(keys, values, "name", "value")`. */
export const transformLibrary: Library = {
  name: 'kyverno.transform',
  functions: functionsNamed(['listObjToMap', 'transform.listObjToMap'], {
    id: 'list_of_object_to_map',
    parameters: [listType, listType, stringType, stringType],
    result: mapType,
    evaluate: (keys: Value, values: Value, keyName: Value, valueName: Value) =>
      mapOfLists(keys, values, keyName as string, valueName as string),
  }),
};

function mapOfLists(keys: Value, values: Value, keyName: string, valueName: string): Value {
  if (!isList(keys) || !isList(values)) return new CelError('no such overload');
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
