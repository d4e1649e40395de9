import { expect, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook } from './harness/webhook.ts';

const ten = '[0,1,2,3,4,5,6,7,8,9]';
const costly = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, ${ten}.exists(e, e == 9))))) && false`;

test('each policy is measured by itself, and each decision without the arrival of its body', async () => {
  const webhook = await startWebhook({
    'costly.yaml': validatingPolicy('costly', costly),
    'cheap.yaml': validatingPolicy('cheap', 'false'),
  });
  try {
    for (let count = 0; count < 10; count++) await webhook.ask('/validate', configMapReview());
    const { text } = await webhook.read('/metrics');
    const value = (pattern: string): number =>
      Number(new RegExp(`^${pattern} (\\S+)$`, 'm').exec(text)?.[1]);
    const check = 'apiserver_validating_admission_policy_check_duration_seconds';
    const of = (policy: string, kind: string): number =>
      value(`${check}_${kind}\\{policy="${policy}",[^}]*enforcement_action="deny"\\}`);
    expect([of('costly', 'count'), of('cheap', 'count')]).toEqual([10, 10]);
    expect(of('cheap', 'sum')).toBeGreaterThan(0);
    expect(of('costly', 'sum')).toBeGreaterThan(2 * of('cheap', 'sum'));
    const whole = value('kubeadmit_request_duration_seconds_sum\\{path="validate",code="200"\\}');
    const deciding = value(
      'apiserver_admission_controller_admission_duration_seconds_sum\\{[^}]*\\}',
    );
    expect(deciding).toBeGreaterThan(of('costly', 'sum'));
    expect(deciding).toBeLessThanOrEqual(whole);
  } finally {
    await webhook.stop();
  }
});
