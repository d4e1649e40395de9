import { groupBy } from '@kubeadmit/base';
import { stringifyJson } from '@kubeadmit/go';
import type { CoveredPoint, PolicyCoverage } from './coverage.ts';
import { countPoints, missingText, percentText } from './summary.ts';

/** The coverage of policies for people: each file with its missing parts. */
export function coverageText(policies: readonly PolicyCoverage[]): string {
  const { covered, total, percent } = countPoints(policies);
  const head = `coverage: ${percentText(percent)} (${covered} of ${total})\n`;
  if (total === 0) return `${head}  the tests contain no expression of a native policy\n`;
  const lines = policies.flatMap((policy) => {
    const own = countPoints([policy]);
    return [
      `  ${percentText(own.percent).padStart(7)}  ${policy.file} (${policy.policy})`,
      ...policy.points
        .filter(({ hits }) => hits === 0)
        .map(
          (point) =>
            `           ${point.line}:${point.column} ${point.path}: ${missingText(point)}`,
        ),
    ];
  });
  return `${head}${lines.join('\n')}\n`;
}

/** The coverage of policies as one JSON document. */
export function coverageJson(policies: readonly PolicyCoverage[]): string {
  const document = {
    summary: countPoints(policies),
    policies: policies.map(({ file, policy, points }) => ({
      file,
      policy,
      ...countPoints([{ file, policy, points } as PolicyCoverage]),
      points: points.map(({ path, role, part, wanted, text, line, column, hits }) => ({
        path,
        role,
        part,
        wanted,
        text,
        line,
        column,
        hits,
      })),
    })),
  };
  return `${stringifyJson(document, { indent: 2 })}\n`;
}

/** The coverage of policies in the format of lcov: lines of files, and both sides of branches. */
export function coverageLcov(policies: readonly PolicyCoverage[]): string {
  return byFile(policies)
    .map(([file, points]) => {
      const lines = new Map<number, number>();
      for (const { line, hits } of points) lines.set(line, Math.max(lines.get(line) ?? 0, hits));
      const sorted = [...lines].sort(([a], [b]) => a - b);
      const blocks = blocksOf(points);
      const branches = points.map((point) => {
        const block = blocks.get(keyOf(point)) ?? 0;
        const branch = point.wanted === 'false' ? 1 : 0;
        return `BRDA:${point.line},${block},${branch},${point.hits === 0 ? '-' : point.hits}`;
      });
      return [
        'TN:kubeadmit',
        `SF:${file}`,
        ...branches,
        `BRF:${points.length}`,
        `BRH:${points.filter(({ hits }) => hits > 0).length}`,
        ...sorted.map(([line, hits]) => `DA:${line},${hits}`),
        `LF:${sorted.length}`,
        `LH:${sorted.filter(([, hits]) => hits > 0).length}`,
        'end_of_record\n',
      ].join('\n');
    })
    .join('');
}

function keyOf({ path, position }: CoveredPoint): string {
  return `${path} ${position}`;
}

function blocksOf(points: readonly CoveredPoint[]): ReadonlyMap<string, number> {
  const blocks = new Map<string, number>();
  for (const point of points) {
    const key = keyOf(point);
    if (!blocks.has(key)) blocks.set(key, blocks.size);
  }
  return blocks;
}

/** The points of each file, policies of which may stand in one. */
export function byFile(
  policies: readonly PolicyCoverage[],
): readonly (readonly [string, readonly CoveredPoint[]])[] {
  const files = groupBy(policies, ({ file }) => file);
  return [...files].map(([file, own]) => [file, own.flatMap(({ points }) => points)]);
}
