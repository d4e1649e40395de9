import { expect, test } from 'vitest';
import { kubectlScript } from '../src/playground/kubectl.ts';

test('applies what is held first, and tries the other objects', () => {
  const files = { 'web.yaml': 'kind: Pod\n', 'policy.yaml': 'EOF\n', empty: ' \n' };
  expect(kubectlScript(files, new Set(['web.yaml']))).toBe(`# policy.yaml
kubectl apply -f - <<'EOF_'
EOF
EOF_

# web.yaml
kubectl create --dry-run=server -f - <<'EOF'
kind: Pod
EOF
`);
});
