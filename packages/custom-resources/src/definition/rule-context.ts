import { member, memberText } from '@kubeadmit/apimachinery';
import { greatest, lesser } from '@kubeadmit/cel/estimate';
import { type DeclaredType, declareSchema, escapeProperty } from '@kubeadmit/schemas/cel';
import {
  readStructural,
  SchemaProblem,
  type StructuralSchema,
} from '@kubeadmit/schemas/definitions';
import { rulesOf } from '../rules/rule.ts';
import { isOn, limitOf, type Schema } from '../schema/schema.ts';

/** A schema with the type that rules see; no declared type if they do not see it. */
export interface TypeInfo {
  readonly structural: StructuralSchema;
  readonly declared: DeclaredType | undefined;
}

/** One rule's share of the cost of a definition. */
export interface RuleCost {
  readonly path: string;
  readonly cost: bigint;
}

/** The most that all rules of a definition together may be estimated at. */
export const definitionCostLimit = 100_000_000n;

/** The costs of all rules of a schema. */
export class TotalCost {
  total = 0n;
  /** The four most expensive, of those that count for a hundredth of the limit. */
  mostExpensive: readonly RuleCost[] = [];

  add(path: string, cost: bigint): void {
    this.total = lesser(this.total + cost, greatest);
    if (cost < definitionCostLimit / 100n) return;
    this.mostExpensive = [...this.mostExpensive, { path, cost }]
      .sort((left, right) => (left.cost < right.cost ? 1 : left.cost > right.cost ? -1 : 0))
      .slice(0, 4);
  }
}

/** Costs times how often a rule can run, both capped. */
export function timesCapped(cost: bigint, times: bigint): bigint {
  return lesser(cost * times, greatest);
}

type Step =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'items' }
  | { readonly kind: 'values' };

/** Where in a definition rules stand: their types and how often they can run (apiextensions, `CELSchemaContext`). */
export class RuleContext {
  /** How often a value of the schema can stand in an object; undefined when nothing limits it. */
  readonly cardinality: bigint | undefined;
  readonly total: TotalCost;
  /** The minor version of the server that receives the definition. */
  readonly minor: number;
  readonly #schema: Schema | undefined;
  readonly #parent: RuleContext | undefined;
  readonly #step: Step | undefined;
  readonly #isInScope: boolean;
  #info: TypeInfo | string | undefined;
  #isKnown = false;

  private constructor(
    schema: Schema | undefined,
    cardinality: bigint | undefined,
    total: TotalCost,
    minor: number,
    parent?: RuleContext,
    step?: Step,
  ) {
    this.#schema = schema;
    this.cardinality = cardinality;
    this.total = total;
    this.minor = minor;
    this.#parent = parent;
    this.#step = step;
    this.#isInScope =
      parent?.isInScope === true || (schema !== undefined && rulesOf(schema).length > 0);
  }

  static root(schema: Schema, minor: number): RuleContext {
    return new RuleContext(schema, 1n, new TotalCost(), minor);
  }

  get isInScope(): boolean {
    return this.#isInScope;
  }

  /** The context of a schema inside. */
  child(schema: Schema | undefined, step: Step): RuleContext {
    const most = this.#schema ? mostElements(this.#schema) : undefined;
    const cardinality =
      this.cardinality === undefined || most === undefined
        ? undefined
        : timesCapped(this.cardinality, most);
    return new RuleContext(schema, cardinality, this.total, this.minor, this, step);
  }

  /** Returns the types that rules see at this place, or an error message if they are unknown. */
  get info(): TypeInfo | string | undefined {
    if (!this.#isKnown) {
      this.#isKnown = true;
      this.#info = this.#isInScope ? this.#find() : undefined;
    }
    return this.#info;
  }

  #find(): TypeInfo | string | undefined {
    const parent = this.#parent?.info;
    if (typeof parent === 'string') return parent;
    const accessed = parent && this.#step && access(parent, this.#step);
    if (accessed) return accessed;
    const structural = readStructural(this.#schema ?? {});
    if (structural instanceof SchemaProblem) return structural.message;
    const isResource = !this.#parent || isOn(this.#schema ?? {}, 'x-kubernetes-embedded-resource');
    const declared = declareSchema(structural, { isResource });
    return declared
      ? { structural, declared }
      : 'unable to convert structural schema to CEL declarations';
  }
}

function access({ structural, declared }: TypeInfo, step: Step): TypeInfo | undefined {
  switch (step.kind) {
    case 'property': {
      const property = structural.properties.get(step.name);
      const escaped = escapeProperty(step.name);
      const type = escaped === undefined ? undefined : declared?.fields?.get(escaped)?.type;
      return property && type && { structural: property, declared: type };
    }
    case 'items':
      return structural.items && { structural: structural.items, declared: declared?.element };
    case 'values': {
      const values = structural.additionalProperties;
      return typeof values === 'object'
        ? { structural: values, declared: declared?.element }
        : undefined;
    }
    default:
      return step satisfies never;
  }
}

function mostElements(schema: Schema): bigint | undefined {
  const limit = (key: string): bigint | undefined => {
    const most = limitOf(schema, key);
    return most === undefined ? undefined : BigInt(Math.max(Math.trunc(most), 0));
  };
  const additional = member(schema, 'additionalProperties');
  switch (memberText(schema, 'type')) {
    case 'object':
      return additional === undefined || additional === null ? 1n : limit('maxProperties');
    case 'array':
      return limit('maxItems');
    default:
      return 1n;
  }
}
