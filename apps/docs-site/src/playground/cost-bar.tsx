import type { FunctionalComponent } from 'vue';

/** The cost limits of kube-apiserver for one expression, and for all expressions of a policy with one binding. */
export const costLimits = { expression: 1_000_000, policy: 10_000_000 } as const;

/** A cost beside its limit, on a scale of powers of ten. */
export const CostBar: FunctionalComponent<{ readonly cost: number; readonly limit: number }> = ({
  cost,
  limit,
}) => {
  const share = Math.min(1, Math.log10(cost + 1) / Math.log10(limit));
  const text = `cost ${cost.toLocaleString('en')} of ${limit.toLocaleString('en')}`;
  return (
    <span class={['cost-bar', cost > limit / 10 && 'is-high']} title={text}>
      <span class="track" aria-hidden="true">
        <span class="filled" style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </span>
      cost {cost.toLocaleString('en')}
    </span>
  );
};
CostBar.props = ['cost', 'limit'];
