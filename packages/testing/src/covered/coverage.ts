import { member, metadataString } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { childrenOf, type Expression } from '@kubeadmit/cel/syntax';
import type { ObservedEvaluation } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { type ExpressionRole, writtenExpressions } from '@kubeadmit/lint/unstable-internal';
import { type Manifest, type Place, parseFieldPath, type Source } from '@kubeadmit/manifest';
import type { CaseCluster } from '../load/cluster-loader.ts';
import { type CoveragePoint, pointsOf } from './points.ts';

/** A point with its place in the file, and how often it was seen. */
export interface CoveredPoint extends CoveragePoint, Place {
  /** The expression: `spec.validations[0].expression`. */
  readonly path: string;
  readonly role: ExpressionRole;
  readonly hits: number;
}

/** The coverage of a policy. */
export interface PolicyCoverage {
  /** The input that the policy is from. */
  readonly file: string;
  /** Its text. */
  readonly source: Source;
  /** `Kind/name`. */
  readonly policy: string;
  /** The points that tests can reach, with their counts. */
  readonly points: readonly CoveredPoint[];
}

interface Counted {
  readonly manifest: Manifest;
  /** By path, position and value. */
  readonly hits: Map<string, number>;
  /** The last values of expressions, by path. */
  readonly last: Map<string, unknown>;
}

/** Records which parts of the expressions of native policies had which values. */
export class PolicyCoverageRecorder {
  readonly #policies = new Map<string, Counted>();
  readonly #macros = new WeakMap<Expression, ReadonlySet<number>>();
  readonly #clusters = new WeakMap<CaseCluster, ReadonlyMap<unknown, Counted>>();

  /**
   * Includes the policies of a cluster in the coverage, even if none of them is evaluated; returns them by their
   * `spec`.
   */
  add(cluster: CaseCluster): ReadonlyMap<unknown, Counted> {
    return getOrMake(this.#clusters, cluster, () => {
      const { validatingPolicies, mutatingPolicies } = cluster.check.chain.cluster;
      const specs = new Map<unknown, Counted>();
      for (const manifest of cluster.inputs.policies) {
        const key = `${manifest.file}:${manifest.line} ${manifest.title}`;
        const counted = getOrMake(this.#policies, key, () => ({
          manifest,
          hits: new Map(),
          last: new Map(),
        }));
        const policies =
          manifest.kind === 'MutatingAdmissionPolicy' ? mutatingPolicies : validatingPolicies;
        const own = policies.find((policy) => metadataString(policy, 'name') === manifest.name);
        if (own?.spec !== undefined) specs.set(own.spec, counted);
      }
      return specs;
    });
  }

  /** Records one evaluation. */
  record({ home, checked, values, value }: ObservedEvaluation, cluster: CaseCluster): void {
    const counted = home === undefined ? undefined : this.add(cluster).get(home.spec);
    if (home === undefined || counted === undefined) return;
    counted.last.set(home.path, value);
    // The server evaluates the messages of passing validations, too, and discards them.
    const validation = home.path.replace(/\.messageExpression$/, '.expression');
    if (validation !== home.path && counted.last.get(validation) !== false) return;
    const count = (place: number | 'whole', seen: unknown): void => {
      const kinds = typeof seen === 'boolean' ? ['evaluated', String(seen)] : ['evaluated'];
      for (const kind of kinds) {
        const key = `${home.path} ${place} ${kind}`;
        counted.hits.set(key, (counted.hits.get(key) ?? 0) + 1);
      }
    };
    count('whole', value);
    const macros = this.#macrosOf(checked.expression);
    for (const { expression, value: own } of values) {
      // All parts of a macro's expansion have the position of its call; the call's value is that of the expansion.
      const isInner = expression.macro === undefined && macros.has(expression.position);
      if (!isInner) count(expression.position, own);
    }
  }

  #macrosOf(expression: Expression): ReadonlySet<number> {
    return getOrMake(this.#macros, expression, () => {
      const positions = new Set<number>();
      const visit = (node: Expression): void => {
        if (node.macro !== undefined) positions.add(node.position);
        for (const child of childrenOf(node)) visit(child);
      };
      visit(expression);
      return positions;
    });
  }

  /** Returns the coverage of each policy, in the order of files and names. */
  result(): readonly PolicyCoverage[] {
    return [...this.#policies.values()]
      .map(coverageOf)
      .sort((a, b) => compareText(`${a.file} ${a.policy}`, `${b.file} ${b.policy}`));
  }
}

function coverageOf({ manifest, hits }: Counted): PolicyCoverage {
  const points = writtenExpressions(member(manifest.object, 'spec')).flatMap(
    ({ field: path, role, text }) =>
      pointsOf(text, role).map((point): CoveredPoint => {
        const where = point.part === 'expression' ? 'whole' : point.position;
        const { line, column } = manifest.place(parseFieldPath(path), point.start);
        const seen = hits.get(`${path} ${where} ${point.wanted}`) ?? 0;
        return { ...point, path, role, line, column, hits: seen };
      }),
  );
  const { file, kind, name, origin } = manifest;
  return { file, source: origin.source, policy: `${kind}/${name}`, points };
}
