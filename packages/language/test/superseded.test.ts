import { expect, test } from 'vitest';
import { createLanguageService } from '../src/index.ts';

const policy = (
  name: string,
  expression: string,
): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  validations:
  - expression: ${expression}
`;
const files = Array.from({ length: 64 }, (_, i) => `file:///w/${String(i).padStart(2, '0')}.yaml`);

test('a search for diagnostics yields, and stops when a text changes', async () => {
  let pauses = 0;
  let onPause = (): void => undefined;
  const service = await createLanguageService({
    pause: async () => {
      pauses++;
      await undefined;
      onPause();
    },
  });
  for (const uri of files) service.setDocument(uri, policy('a', 'nope'));

  await service.diagnostics();
  const whole = pauses;
  expect(whole).toBeGreaterThan(8);

  // The same again from the begin, with a change on the way.
  for (const uri of files) service.setDocument(uri, policy('b', 'nope'));
  pauses = 0;
  let newest: ReturnType<typeof service.diagnostics> | undefined;
  onPause = () => {
    if (pauses !== 6) return;
    service.setDocument(files[0] as string, policy('b', 'unknown'));
    newest = service.diagnostics();
  };
  const first = service.diagnostics();
  const found = await first;
  expect(found).toEqual(await newest);
  const messages = found.get(files[0] as string)?.map(({ message }) => message);
  expect(messages?.join('\n')).toContain("'unknown'");
  expect([...found.values()].filter(({ length }) => length === 0)).toEqual([]);
  // Results found before the change were reused.
  expect(pauses).toBeLessThan(whole + 2);

  const fresh = await createLanguageService();
  for (const uri of files.slice(1)) fresh.setDocument(uri, policy('b', 'nope'));
  fresh.setDocument(files[0] as string, policy('b', 'unknown'));
  const expected = await fresh.diagnostics();
  for (const uri of files) expect(found.get(uri)).toEqual(expected.get(uri));
});
