import { readFileSync } from 'node:fs';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { findDifferences } from '@kubeadmit/difference';
import { policyOfExpression, type ResourceName } from '@kubeadmit/difference/unstable-internal';
import { loadSchemas } from '@kubeadmit/schemas';
import { type Planted, plant } from './plant.ts';

/** Policies by their expressions. */
interface Source {
  readonly resource: ResourceName;
  readonly expressions: readonly string[];
}

interface Data {
  /** Changes after which every request is judged as before. */
  readonly same: readonly string[];
  readonly sources: readonly Source[];
}

/** The result of a search for differences between two policies. */
interface Search {
  readonly expression: string;
  readonly changed: string;
  readonly differs: boolean;
  readonly requests: number;
  /** Processor time of this process, so that a busy machine makes no difference. */
  readonly milliseconds: number;
}

/** A policy with one change planted, and whether the search found it. */
export type Searched = Search & Planted;

const { same, sources } = JSON.parse(
  readFileSync(new URL('../data/expressions.json', import.meta.url), 'utf8'),
) as Data;
const schemas = await loadSchemas();

/** Plants one change in each of so many policies, spread over all, and searches for it. */
export async function searchMutants(most: number): Promise<readonly Searched[]> {
  const all = sources.flatMap(({ resource, expressions }) =>
    expressions.flatMap((expression) =>
      plant(expression)
        .filter(({ changed }) => !same.includes(changed))
        .map((planted) => ({ resource, expression, ...planted })),
    ),
  );
  const searched: Searched[] = [];
  for (const mutant of spread(all, most)) {
    const { resource, expression, changed, kind } = mutant;
    const found = await search(resource, expression, changed, most < 100 ? 2500 : 4000);
    // Mutants that the server would reject are skipped.
    if (found !== undefined) searched.push({ ...found, kind });
  }
  return searched;
}

/** Searches for a difference between policies that judge every request alike: each expression written otherwise. */
export async function searchEquals(most: number): Promise<readonly Search[]> {
  const all = sources.flatMap(({ resource, expressions }) =>
    expressions.flatMap((expression, at) => [
      { resource, expression, changed: writtenOtherwise(expression, at) },
      ...plant(expression)
        .filter(({ changed }) => same.includes(changed))
        .map(({ changed }) => ({ resource, expression, changed })),
    ]),
  );
  const searched: Search[] = [];
  for (const { resource, expression, changed } of spread(all, most)) {
    const found = await search(resource, expression, changed, most < 100 ? 300 : 4000);
    if (found === undefined) throw new Error(`refused: ${changed}`);
    searched.push(found);
  }
  return searched;
}

/** Returns an equivalent form of a condition, chosen by its index. */
function writtenOtherwise(expression: string, at: number): string {
  const ways = [
    `!(!(${expression}))`,
    `(${expression}) && true`,
    `false || (${expression})`,
    `(${expression}) ? true : false`,
    `[${expression}].all(holds, holds)`,
    `(${expression}) == true`,
  ];
  return ways[at % ways.length] as string;
}

function spread<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most);
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

async function search(
  resource: ResourceName,
  expression: string,
  changed: string,
  requests: number,
): Promise<Search | undefined> {
  const begun = process.cpuUsage();
  const found = await findDifferences({
    old: policyOf(expression, resource),
    new: policyOf(changed, resource),
    schemas,
    search: requests,
    most: 1,
    clock: Date.now,
  });
  if (found.refused.length > 0) return undefined;
  const { user, system } = process.cpuUsage(begun);
  return {
    expression,
    changed,
    differs: found.differences.length > 0,
    requests: found.requests,
    milliseconds: (user + system) / 1000,
  };
}

// The expression is in a variable, because the server prints the text of a failing validation, which always differs.
function policyOf(expression: string, resource: ResourceName): readonly JsonObject[] {
  const variables = [{ name: 'holds', expression }];
  return policyOfExpression('variables.holds', resource).map((object) =>
    object['kind'] === 'ValidatingAdmissionPolicy'
      ? { ...object, spec: { ...(object['spec'] as JsonObject), variables } }
      : object,
  );
}
