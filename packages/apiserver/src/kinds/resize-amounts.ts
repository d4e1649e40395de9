import { memberObject } from '@kubeadmit/apimachinery';
import type { Members } from './internal-json.ts';

/** The two parts of resources. */
export const parts = ['requests', 'limits'] as const;

/** Whether a resource of the old requests or limits is missing in the new ones. */
export function isAnyRemoved(now: Members, then: Members, part: string): boolean {
  const kept = memberObject(now, part);
  return Object.keys(memberObject(then, part)).some((name) => !Object.hasOwn(kept, name));
}

/** Returns resources with the old CPU and memory, which a resize may change. */
export function withOldAmounts(now: Members, then: Members): Members {
  const amounts = parts.map((part) => {
    const { cpu: _cpu, memory: _memory, ...others } = memberObject(now, part);
    const kept = Object.entries(memberObject(then, part)).filter(
      ([name]) => name === 'cpu' || name === 'memory',
    );
    return [part, { ...others, ...Object.fromEntries(kept) }];
  });
  return { ...now, ...Object.fromEntries(amounts) };
}
