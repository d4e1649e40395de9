import type { CoveredPoint, PolicyCoverage } from './coverage.ts';

/** The share of the outcomes that the tests reached. */
export interface CoverageCounts {
  readonly covered: number;
  readonly total: number;
  /** 100 where there is nothing to show. */
  readonly percent: number;
}

/** Counts points of policies. */
export function countPoints(policies: readonly PolicyCoverage[]): CoverageCounts {
  const points = policies.flatMap((policy) => policy.points);
  const covered = points.filter(({ hits }) => hits > 0).length;
  const total = points.length;
  return { covered, total, percent: total === 0 ? 100 : (covered / total) * 100 };
}

/** A share for people; 100 only for all of it. */
export function percentText(percent: number): string {
  return `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;
}

const roles: Readonly<
  Record<CoveredPoint['role'], Readonly<Record<CoveredPoint['wanted'], string>>>
> = {
  variable: { evaluated: 'never read', true: '', false: '' },
  matchCondition: {
    evaluated: '',
    true: 'never true',
    false: 'never false',
  },
  validation: { evaluated: '', true: 'never passes', false: 'never fails' },
  message: { evaluated: 'never evaluated', true: '', false: '' },
  auditAnnotation: { evaluated: 'never evaluated', true: '', false: '' },
  mutation: { evaluated: 'never evaluated', true: '', false: '' },
};

/** Describes the uncovered outcome of a point: `never fails`, ``the operand `a` is never false``. */
export function missingText({ part, wanted, role, text }: CoveredPoint): string {
  if (part === 'expression') return roles[role][wanted];
  const short = text.replaceAll(/\s+/g, ' ');
  const shown = short.length > 60 ? `${short.slice(0, 60)}…` : short;
  const noun = part === 'loop' ? 'body of the loop' : part;
  return `the ${noun} \`${shown}\` is never ${wanted}`;
}
