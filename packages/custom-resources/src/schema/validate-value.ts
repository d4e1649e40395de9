import { isObject, member, memberText, memberTexts } from '@kubeadmit/apimachinery';
import { codePointCount, compileRegex, quote, Regex, sortedKeys } from '@kubeadmit/go';
import { type JsonKind, kindOf, numberOf } from '../values/json-value.ts';
import type { Correlation } from './correlation.ts';
import { enumValuesOf } from './enum-values.ts';
import {
  branchesOf,
  innerOf,
  isOn,
  limitOf,
  propertiesOf,
  propertyOf,
  type Schema,
} from './schema.ts';
import { formatOf, hasDuplicates, typesOf } from './schema-facts.ts';
import { stringFormat } from './string-formats.ts';
import { isJsonInteger, validateNumber } from './validate-number.ts';
import { ValueResult, type Violation } from './value-result.ts';

/** How a value is validated. */
export interface ValueOptions {
  /** The old value of an update. */
  readonly correlation?: Correlation | undefined;
  /** Whether formats count that are unknown or do not go with the type, as they do for defaults. */
  readonly keepsFormats?: boolean;
  /** The minor version whose formats are known; default all. */
  readonly minor?: number | undefined;
}

/**
 * Validates a value against its schema as kube-apiserver does (kube-openapi, `validate.SchemaValidator`).
 *
 * With a correlation, errors of values that did not change are forgiven (apiextensions,
 * `RatchetingSchemaValidator`).
 */
export function validateValue(
  schema: Schema,
  path: string,
  value: unknown,
  options: ValueOptions = {},
): ValueResult {
  const { correlation } = options;
  const result = new ValueValidator(schema, path, options).validate(value);
  if (result.isValid || correlation?.isSame !== true) return result;
  const forgiven = new ValueResult();
  forgiven.matches = result.matches;
  return forgiven;
}

class ValueValidator {
  readonly #schema: Schema;
  readonly #path: string;
  readonly #correlation: Correlation | undefined;
  readonly #keepsFormats: boolean;
  readonly #minor: number | undefined;
  readonly #types: readonly string[];
  readonly #format: string;

  constructor(schema: Schema, path: string, options: ValueOptions) {
    this.#schema = schema;
    this.#path = path;
    this.#correlation = options.correlation;
    this.#keepsFormats = options.keepsFormats ?? false;
    this.#minor = options.minor;
    this.#types = typesOf(schema);
    this.#format = this.#keepsFormats
      ? memberText(schema, 'format')
      : formatOf(schema, this.#types, this.#minor);
  }

  validate(value: unknown): ValueResult {
    const result = new ValueResult();
    const kind = kindOf(value);
    if (kind === 'null') {
      result.merge(this.#type(value, kind));
      result.merge(this.#enumeration(value));
      return result;
    }
    const take = (part: ValueResult): void => {
      result.merge(part);
      result.matches++;
    };
    if (this.#types.length > 0 || this.#format !== '') take(this.#type(value, kind));
    take(this.#branches(value));
    if (kind === 'string') {
      take(this.#text(value as string));
      const check = stringFormat(this.#format);
      if (check) take(this.#formatted(value as string, check));
    } else if (kind === 'integer' || kind === 'number') {
      const format = formatOf(this.#schema, this.#types);
      take(validateNumber(this.#schema, this.#types, format, this.#path, value));
    } else if (Array.isArray(value)) take(this.#list(value));
    take(this.#enumeration(value));
    if (isObject(value)) take(this.#object(value));
    result.matches++;
    return result;
  }

  #type(value: unknown, kind: JsonKind): ValueResult {
    const result = new ValueResult();
    result.matches++;
    const types = this.#types;
    const format = this.#format;
    const wrong = (wanted: string, given: string): ValueResult => {
      const failed = new ValueResult();
      const message = `${this.#path} in body must be of type ${wanted}: ${quote(given)}`;
      failed.add({ kind: 'type', path: this.#path, message, value: given });
      return failed;
    };
    if (kind === 'null') {
      return types.length > 0 && !types.includes('null') && !isOn(this.#schema, 'nullable')
        ? wrong(types.join(','), 'null')
        : result;
    }
    const isNearInteger =
      kind === 'number' && types.includes('integer') && isJsonInteger(numberOf(value) ?? 0);
    const isWidened = kind === 'integer' && types.includes('number');
    const goFormat = kind === 'integer' ? 'int64' : kind === 'number' ? 'float64' : '';
    const isTextual = kind === 'string' || kind === 'array';
    const fits = types.includes(kind) || isNearInteger || isWidened;
    if (!isTextual && format !== '' && !fits && format !== goFormat) return wrong(format, goFormat);
    const isNumeric = types.includes('number') || types.includes('integer');
    if (!isNumeric && format !== '' && isTextual) return result;
    return fits ? result : wrong(types.join(','), kind);
  }

  #text(value: string): ValueResult {
    const violation = this.#textViolation(value);
    const result = new ValueResult();
    if (violation) result.add(violation);
    return result;
  }

  #textViolation(value: string): Violation | undefined {
    const path = this.#path;
    const schema = this.#schema;
    const [most, least] = [limitOf(schema, 'maxLength'), limitOf(schema, 'minLength')];
    const length = most === undefined && least === undefined ? 0 : codePointCount(value);
    if (most !== undefined && length > most) {
      const message = `${path} in body should be at most ${most} chars long`;
      return { kind: 'tooLong', path, message, limit: most };
    }
    if (least !== undefined && length < least) {
      const message = `${path} in body should be at least ${least} chars long`;
      return { kind: 'invalid', path, message, value };
    }
    const pattern = memberText(schema, 'pattern');
    if (pattern === '') return undefined;
    const regex = compileRegex(pattern);
    const shown =
      regex instanceof Regex ? pattern : `${pattern}, but pattern is invalid: ${regex.error}`;
    if (regex instanceof Regex && regex.test(value)) return undefined;
    return { kind: 'invalid', path, message: `${path} in body should match '${shown}'`, value };
  }

  #formatted(value: string, check: (text: string) => boolean): ValueResult {
    const result = new ValueResult();
    if (!check(value)) {
      const message = `${this.#path} in body must be of type ${this.#format}: ${quote(value)}`;
      result.add({ kind: 'type', path: this.#path, message, value });
    }
    return result;
  }

  #list(value: readonly unknown[]): ValueResult {
    const path = this.#path;
    const schema = this.#schema;
    const result = new ValueResult();
    const items = innerOf(schema, 'items');
    for (const [index, item] of items ? value.entries() : []) {
      if (result.isFull) break;
      const inner = this.#correlation?.index(index);
      result.merge(this.#inner(items as Schema, `${path}[${index}]`, item, inner));
    }
    const [least, most] = [limitOf(schema, 'minItems'), limitOf(schema, 'maxItems')];
    if (least !== undefined && value.length < least) {
      const message = `${path} in body should have at least ${least} items`;
      result.add({ kind: 'invalid', path, message, value: value.length });
    }
    if (most !== undefined && value.length > most) {
      const message = `${path} in body should have at most ${most} items`;
      result.add({ kind: 'tooMany', path, message, value: value.length, limit: most });
    }
    if (isOn(schema, 'uniqueItems') && hasDuplicates(value)) {
      result.add({
        kind: 'invalid',
        path,
        message: `${path} in body shouldn't contain duplicates`,
      });
    }
    result.matches++;
    return result;
  }

  #enumeration(value: unknown): ValueResult {
    const result = new ValueResult();
    const allowed = member(this.#schema, 'enum');
    if (!Array.isArray(allowed) || allowed.length === 0) return result;
    const values = enumValuesOf(allowed);
    if (values.has(value)) return result;
    const path = this.#path;
    const message = `${path} in body should be one of ${values.text}`;
    result.add({ kind: 'enum', path, message, value, allowed });
    return result;
  }

  #object(value: { readonly [key: string]: unknown }): ValueResult {
    const path = this.#path;
    const schema = this.#schema;
    const result = new ValueResult();
    const size = Object.keys(value).length;
    const [least, most] = [limitOf(schema, 'minProperties'), limitOf(schema, 'maxProperties')];
    if (least !== undefined && size < least) {
      const message = `${path} in body should have at least ${least} properties`;
      result.add({ kind: 'invalid', path, message, value: size });
    }
    if (most !== undefined && size > most) {
      const message = `${path} in body should have at most ${most} properties`;
      result.add({ kind: 'tooMany', path, message, value: size, limit: most });
    }
    this.#additional(value, result);
    for (const name of sortedKeys(propertiesOf(schema))) {
      if (result.isFull) break;
      if (!Object.hasOwn(value, name)) continue;
      const property = propertyOf(schema, name) ?? {};
      const inner = path === '' ? name : `${path}.${name}`;
      result.merge(this.#inner(property, inner, value[name], this.#correlated(name)));
    }
    for (const name of memberTexts(schema, 'required')) {
      if (Object.hasOwn(value, name)) continue;
      const missing = `${path}.${name}`;
      result.add({ kind: 'required', path: missing, message: `${missing} in body is required` });
    }
    return result;
  }

  #additional(value: { readonly [key: string]: unknown }, result: ValueResult): void {
    const path = this.#path;
    const schema = this.#schema;
    const additional = member(schema, 'additionalProperties');
    if (additional !== false && !isObject(additional)) return;
    for (const key of sortedKeys(value)) {
      if (result.isFull) return;
      if (propertyOf(schema, key)) continue;
      if (isObject(additional)) {
        const inner = this.#correlated(key);
        result.merge(this.#inner(additional, `${path}.${key}`, value[key], inner));
      } else {
        const message = `${path}.${key} in body is a forbidden property`;
        result.add({ kind: 'invalid', path, message, value: key });
      }
    }
  }

  #inner(schema: Schema, path: string, value: unknown, correlation?: Correlation): ValueResult {
    return validateValue(schema, path, value, {
      correlation,
      keepsFormats: this.#keepsFormats,
      minor: this.#minor,
    });
  }

  /** The old value of an entry; an error about the type of the complete object is never ignored. */
  #correlated(key: string): Correlation | undefined {
    if (this.#path === '' && (key === 'apiVersion' || key === 'kind')) return undefined;
    return this.#correlation?.key(key);
  }

  #branches(value: unknown): ValueResult {
    const path = this.#path;
    const schema = this.#schema;
    const main = new ValueResult();
    const fail = (text: string): void => {
      main.add({ kind: 'unplaced', path, message: `${quote(path)} ${text}` });
    };
    const anyOf = branchesOf(schema, 'anyOf');
    if (anyOf.length > 0) {
      let best: ValueResult | undefined;
      let valid: ValueResult | undefined;
      for (const branch of anyOf) {
        const result = this.#inner(branch, path, value);
        if (result.isValid) {
          valid = result;
          break;
        }
        if (best === undefined || result.matches > best.matches) best = result;
      }
      if (!valid) fail('must validate at least one schema (anyOf)');
      main.merge(valid ?? best ?? new ValueResult());
    }
    const oneOf = branchesOf(schema, 'oneOf');
    if (oneOf.length > 0) {
      let best: ValueResult | undefined;
      const valid: ValueResult[] = [];
      for (const branch of oneOf) {
        const result = this.#inner(branch, path, value);
        if (result.isValid) {
          valid.push(result);
          best = undefined;
        } else if (valid.length === 0 && (best === undefined || result.matches > best.matches)) {
          best = result;
        }
      }
      if (valid.length !== 1) {
        const found =
          valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
        fail(`must validate one and only one schema (oneOf). ${found}`);
      }
      const chosen = valid.length === 1 ? valid[0] : best;
      if (chosen) main.merge(chosen);
    }
    const allOf = branchesOf(schema, 'allOf');
    if (allOf.length > 0) {
      const results = allOf.map((branch) => this.#inner(branch, path, value));
      for (const result of results) main.merge(result);
      const count = results.filter(({ isValid }) => isValid).length;
      if (count !== allOf.length) {
        fail(`must validate all the schemas (allOf)${count === 0 ? '. None validated' : ''}`);
      }
    }
    const not = innerOf(schema, 'not');
    if (not && this.#inner(not, path, value).isValid) fail('must not validate the schema (not)');
    main.matches++;
    return main;
  }
}
