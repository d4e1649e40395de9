import { isObject, member } from '@kubeadmit/apimachinery';
import { listOf } from '@kubeadmit/apimachinery/internal';
import { CelError, type Evaluation, Optional, type Value } from '@kubeadmit/cel';
import {
  type EvaluationWithValues,
  evaluateObserved,
  outOfBudget,
  perCallLimit,
} from '@kubeadmit/engine/internal';
import { byteLength, quote } from '@kubeadmit/go';
import { sortedKeys, trimSpace } from '@kubeadmit/go/internal';
import {
  type DeclaredType,
  declareSchema,
  escapeProperty,
  type StructuralSchema,
} from '@kubeadmit/schemas/internal';
import { childPath, type Finding, internalError, invalid, keyPath } from '../finding.ts';
import { type Correlation, ItemsByKey } from '../schema/correlation.ts';
import { isCorrelatableMap } from '../schema/schema.ts';
import {
  type CompiledExpression,
  type CompiledRule,
  compileRule,
  ruleEnvironments,
} from './compile-rule.ts';
import { withTypeAndMetadata } from './resource-schema.ts';
import { type Rule, rulesOf } from './rule.ts';
import { reasoned, ruleText } from './rule-finding.ts';
import { typedValue } from './typed-value.ts';

/** What rules found, and what is left of the budget; less than 0 when nothing more is to be run. */
export interface RuleOutcome {
  readonly findings: readonly Finding[];
  readonly budget: number;
}

/** What a value and its surroundings were before an update. */
interface Ratchet {
  readonly current?: Correlation | undefined;
  readonly parent?: Correlation | undefined;
}

/** One evaluation of a rule or of its message. */
export interface ObservedRule extends EvaluationWithValues {
  /** Where the expression stands in the schema: `properties[spec].x-kubernetes-validations[0].rule`. */
  readonly place: string;
  /** The value that it is about, `spec.parts[0]`; empty for the whole object. */
  readonly path: string;
}

/** Is told of every evaluation of a rule. */
export type ObserveRule = (evaluation: ObservedRule) => void;

/** Who is told of what happens while rules run. */
export interface RuleListeners {
  readonly observe?: ObserveRule | undefined;
  /** Is told of a rule that what did not change breaks: kube-apiserver warns of it. */
  readonly forgive?: ((finding: Finding) => void) | undefined;
}

const limits = { costLimit: perCallLimit };
const longestMessage = 5120;

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

  /** Runs the rules on a value; with a correlation, failures on what did not change are forgiven. */
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
    // Messages, too, see what was before only where a rule of the same schema does.
    const seesOld = isUpdate && this.#rules.some(({ compiled }) => compiled.usesOldSelf);
    const oldSelf = seesOld ? typedValue(old, this.#typed) : undefined;
    for (const { rule, compiled, place } of this.#rules) {
      if (compiled.problem !== undefined) {
        run.add(invalid(path, type, `rule compile error: ${compiled.problem}`));
        continue;
      }
      if (compiled.expression === undefined) continue;
      if (compiled.usesOldSelf && !isUpdate && rule.optionalOldSelf !== true) continue;
      this.#runRule(run, { place, path, value, rule, compiled, self, oldSelf, ratchet });
      if (run.budget < 0) return;
    }
  }

  #runRule(run: Run, given: RuleRun): void {
    const { path, value, rule, compiled, self, oldSelf, ratchet } = given;
    const { type } = this.#schema;
    const before =
      rule.optionalOldSelf === true
        ? oldSelf === undefined
          ? Optional.none
          : new Optional(oldSelf)
        : oldSelf;
    const expression = compiled.expression as CompiledExpression;
    const result = run.evaluate(expression, given, 'rule', { self, oldSelf: before });
    if (result.cost > run.budget) {
      run.end(invalid(path, type, outOfBudget));
      return;
    }
    run.budget -= result.cost;
    if (result.value instanceof CelError) {
      const { message } = result.value;
      const text = ruleText(rule);
      if (message.startsWith('no such overload')) {
        run.add(
          invalid(
            path,
            type,
            `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`,
          ),
        );
      } else if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
        run.end(
          invalid(
            path,
            type,
            `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
          ),
        );
      } else run.add(invalid(path, type, `${message} evaluating rule: ${text}`));
      return;
    }
    if (result.value === true) return;
    const place = compiled.fieldPath === '' ? path : childPath(path, compiled.fieldPath);
    const isForgiven = !compiled.usesOldSelf && isSameAsBefore(ratchet);
    const add = (finding: Finding): void => run.addOrForgive(finding, isForgiven);
    const message = this.#message(run, given);
    if ('fatal' in message) {
      const { fatal } = message;
      add(fatal.isInternal ? internalError(place, fatal.text) : invalid(place, type, fatal.text));
      run.budget = -1;
      return;
    }
    add(reasoned(place, type, value, message.text, rule.reason));
  }

  #message(
    run: Run,
    given: RuleRun,
  ):
    | { readonly text: string }
    | { readonly fatal: { readonly text: string; readonly isInternal: boolean } } {
    const { rule, self, oldSelf } = given;
    const { message } = given.compiled;
    const fallback = {
      text: rule.message === '' ? `failed rule: ${ruleText(rule)}` : trimSpace(rule.message),
    };
    if (!message) return fallback;
    const { value, cost } = run.evaluate(message, given, 'messageExpression', { self, oldSelf });
    const fatal = (text: string): { fatal: { text: string; isInternal: boolean } } => ({
      fatal: { text, isInternal: false },
    });
    if (cost > run.budget) {
      return fatal(
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      );
    }
    if (value instanceof CelError) {
      if (value.message.startsWith('operation cancelled: actual cost limit exceeded')) {
        return fatal(
          `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quote(rule.messageExpression)}`,
        );
      }
      run.budget -= cost;
      return fallback;
    }
    run.budget -= cost;
    const text = typeof value === 'string' ? trimSpace(value) : '';
    const isUsable = text !== '' && byteLength(text) <= longestMessage && !text.includes('\n');
    return isUsable ? { text } : fallback;
  }
}

interface PlacedRule {
  readonly rule: Rule;
  readonly compiled: CompiledRule;
  /** Where it stands in the schema of the whole: `properties[spec].x-kubernetes-validations[0]`. */
  readonly place: string;
}

interface RuleRun extends PlacedRule {
  readonly path: string;
  readonly value: unknown;
  readonly self: Value;
  readonly oldSelf: Value | undefined;
  readonly ratchet: Ratchet;
}

class Run implements RuleOutcome {
  readonly findings: Finding[] = [];
  budget: number;
  readonly #listeners: RuleListeners;

  constructor(budget: number, listeners: RuleListeners) {
    this.budget = budget;
    this.#listeners = listeners;
  }

  /** Evaluates a field of a rule, and tells of it where that was asked for. */
  evaluate(
    { program, checked, watched }: CompiledExpression,
    { place, path }: RuleRun,
    field: 'rule' | 'messageExpression',
    variables: Readonly<Record<string, Value | undefined>>,
  ): Evaluation {
    const { observe } = this.#listeners;
    if (observe === undefined) return program.evaluate(variables, limits);
    const evaluation = evaluateObserved(watched(), checked, variables, limits);
    observe({ ...evaluation, place: `${place}.${field}`, path });
    return evaluation;
  }

  add(finding: Finding): void {
    this.findings.push(finding);
  }

  addOrForgive(finding: Finding, isForgiven: boolean): void {
    if (isForgiven) this.#listeners.forgive?.(finding);
    else this.add(finding);
  }

  end(finding: Finding): void {
    this.findings.push(finding);
    this.budget = -1;
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

function ratchetKey({ current, parent }: Ratchet, key: string): Ratchet {
  if (!current) return { parent };
  if (!parent && (key === 'apiVersion' || key === 'kind')) return {};
  return { current: current.key(key), parent: current };
}

function ratchetIndex({ current, parent }: Ratchet, index: number): Ratchet {
  return current ? { current: current.index(index), parent: current } : { parent };
}

function isSameAsBefore({ current, parent }: Ratchet): boolean {
  return (current ?? parent)?.isSame === true;
}
