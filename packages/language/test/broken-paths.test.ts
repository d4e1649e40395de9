import { expect, test } from 'vitest';
import { createLanguageService } from '../src/index.ts';

const uri = 'file:///w/policy.yaml';
const policy = (example: string): string => `# kubeadmit: example ${example}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: limits
spec:
  validations:
  - expression: object.metadata.name != ''
`;

test.each(['\ud83d.yaml', '../\udca1/../\ud83d.yaml', '%.yaml', '/', '../../../../..'])(
  'the path %j of an example leads nowhere',
  async (path) => {
    const service = await createLanguageService();
    service.setDocument(uri, policy(path));
    const within = { line: 0, character: 23 };
    expect(await service.definition(uri, within)).toEqual([]);
    expect(await service.references(uri, within)).toEqual([]);
    expect(await service.inlayHints(uri)).toEqual([]);
    expect(await service.hover(uri, { line: 7, character: 20 })).toBeDefined();
  },
);
