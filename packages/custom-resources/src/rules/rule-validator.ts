import { isObject, listOf, member } from '@kubeadmit/apimachinery';
import { outOfBudget } from '@kubeadmit/engine/unstable-internal';
import { sortedKeys } from '@kubeadmit/go';
import { type DeclaredType, declareSchema, escapeProperty } from '@kubeadmit/schemas/cel';
import type { StructuralSchema } from '@kubeadmit/schemas/definitions';
import { type Correlation, ItemsByKey } from '../schema/correlation.ts';
import { childPath, invalid, keyPath } from '../schema/finding.ts';
import { isCorrelatableMap } from '../schema/schema.ts';
import { compileRule, ruleEnvironments } from './compile-rule.ts';
import { type Ratchet, ratchetIndex, ratchetKey } from './ratchet.ts';
import { withTypeAndMetadata } from './resource-schema.ts';
import { rulesOf } from './rule.ts';
import { type PlacedRule, type RuleListeners, type RuleOutcome, Run, runRule } from './run-rule.ts';
import { typedValue } from './typed-value.ts';

/** The rules of a schema and of all that is inside (apiextensions, `cel.Validator`). */
export class RuleValidator {
  readonly #schema: StructuralSchema;
  readonly #typed: StructuralSchema;
  readonly #rules: readonly PlacedRule[];
  readonly #problem: string | undefined;
  readonly #items: RuleValidator | undefined;
  readonly #values: RuleValidator | undefined;
  readonly #properties: ReadonlyMap<string, RuleValidator>;

  /** The validator of a schema; undefined when it has no rules. */
  static of(schema: StructuralSchema, isResource: boolean): RuleValidator | undefined {
    if (!hasRules(schema)) return undefined;
    const declared = declareSchema(schema, { isResource });
    const validator = new RuleValidator(schema, isResource, declared, '');
    return validator.#isEmpty ? undefined : validator;
  }

  private constructor(
    schema: StructuralSchema,
    isResource: boolean,
    declared: DeclaredType | undefined,
    place: string,
  ) {
    this.#schema = schema;
    this.#typed = isResource ? withTypeAndMetadata(schema) : schema;
    const rules = rulesOf(schema.source);
    if (rules.length > 0 && declared === undefined) {
      this.#problem = 'failed to convert to declType for CEL validation rules';
      this.#rules = [];
    } else {
      const environments = rules.length > 0 && declared ? ruleEnvironments(declared) : undefined;
      this.#rules = rules.flatMap((rule, index) => {
        if (!environments) return [];
        const compiled = compileRule(schema.source, rule, environments);
        return [{ rule, compiled, place: `${place}x-kubernetes-validations[${index}]` }];
      });
    }
    const inner = (
      of: StructuralSchema | undefined,
      type: DeclaredType | undefined,
      step: string,
    ): RuleValidator | undefined => {
      if (!of || !hasRules(of)) return undefined;
      const validator = new RuleValidator(of, of.embeddedResource, type, `${place}${step}.`);
      return validator.#isEmpty ? undefined : validator;
    };
    this.#items = inner(schema.items, declared?.element, 'items');
    const values = schema.additionalProperties;
    this.#values = inner(
      typeof values === 'object' ? values : undefined,
      declared?.element,
      'additionalProperties',
    );
    const properties = new Map<string, RuleValidator>();
    for (const [name, property] of schema.properties) {
      const type = fieldType(declared, name, property);
      const validator = type && inner(property, type, `properties[${name}]`);
      if (validator) properties.set(name, validator);
    }
    this.#properties = properties;
  }

  get #isEmpty(): boolean {
    return (
      this.#rules.length === 0 &&
      this.#problem === undefined &&
      !this.#items &&
      !this.#values &&
      this.#properties.size === 0
    );
  }

  /** Runs the rules on a value; with a correlation, failures of unchanged values are tolerated. */
  validate(
    path: string,
    value: unknown,
    old: unknown,
    {
      budget,
      correlation,
      ...listeners
    }: RuleListeners & { readonly budget: number; readonly correlation?: Correlation },
  ): RuleOutcome {
    const run = new Run(budget, listeners);
    this.#apply(run, path, value, old, { current: correlation });
    return run;
  }

  #apply(run: Run, path: string, value: unknown, old: unknown, ratchet: Ratchet): void {
    if (value === null || value === undefined) return;
    this.#runRules(run, path, value, old, ratchet);
    if (run.budget < 0) return;
    if (Array.isArray(value)) this.#runList(run, path, value, old, ratchet);
    else if (isObject(value)) {
      const before = isCorrelatableMap(this.#schema.source) && isObject(old) ? old : {};
      const keys = sortedKeys(value);
      for (const key of keys) {
        if (this.#values === undefined) break;
        const inner = ratchetKey(ratchet, key);
        this.#values.#apply(run, keyPath(path, key), value[key], member(before, key), inner);
        if (run.budget < 0) return;
      }
      for (const key of keys) {
        const property = this.#properties.get(key);
        if (property === undefined) continue;
        const inner = ratchetKey(ratchet, key);
        property.#apply(run, childPath(path, key), value[key], member(before, key), inner);
        if (run.budget < 0) return;
      }
    }
  }

  #runList(run: Run, path: string, list: readonly unknown[], old: unknown, ratchet: Ratchet): void {
    if (!this.#items) return;
    const before = new ItemsByKey(this.#schema.source, listOf(old));
    for (const [index, item] of list.entries()) {
      const inner = ratchetIndex(ratchet, index);
      this.#items.#apply(run, keyPath(path, index), item, before.find(item), inner);
      if (run.budget < 0) return;
    }
  }

  #runRules(run: Run, path: string, value: unknown, old: unknown, ratchet: Ratchet): void {
    const { type } = this.#schema;
    if (this.#problem !== undefined) {
      run.add(invalid(path, type, `rule compiler initialization error: ${this.#problem}`));
      return;
    }
    if (this.#rules.length === 0) return;
    if (run.budget <= 0) {
      run.end(invalid(path, type, outOfBudget));
      return;
    }
    const self = typedValue(value, this.#typed);
    const isUpdate = old !== null && old !== undefined;
    // Messages also see the previous value only if a rule of the same schema uses it.
    const seesOld = isUpdate && this.#rules.some(({ compiled }) => compiled.usesOldSelf);
    const oldSelf = seesOld ? typedValue(old, this.#typed) : undefined;
    for (const { rule, compiled, place } of this.#rules) {
      if (compiled.problem !== undefined) {
        run.add(invalid(path, type, `rule compile error: ${compiled.problem}`));
        continue;
      }
      if (compiled.expression === undefined) continue;
      if (compiled.usesOldSelf && !isUpdate && rule.optionalOldSelf !== true) continue;
      runRule(run, { place, type, path, value, rule, compiled, self, oldSelf, ratchet });
      if (run.budget < 0) return;
    }
  }
}

/** Whether a schema has rules anywhere outside of `allOf` and the like. */
function hasRules(schema: StructuralSchema): boolean {
  const { additionalProperties: values, items, properties, source } = schema;
  return (
    rulesOf(source).length > 0 ||
    (items !== undefined && hasRules(items)) ||
    (typeof values === 'object' && hasRules(values)) ||
    [...properties.values()].some(hasRules)
  );
}

function fieldType(
  declared: DeclaredType | undefined,
  name: string,
  property: StructuralSchema,
): DeclaredType | undefined {
  const escaped = escapeProperty(name);
  return escaped === undefined
    ? declareSchema(property, { isResource: property.embeddedResource })
    : declared?.fields?.get(escaped)?.type;
}
