import type { PolicyCoverage } from './coverage.ts';
import { byFile } from './formats.ts';
import { countPoints, missingText, percentText } from './summary.ts';

/** The coverage of policies as one page: the text of each file, with the covered parts of each line. */
export function coverageHtml(policies: readonly PolicyCoverage[]): string {
  const sources = new Map(policies.map(({ file, source }) => [file, source]));
  const files = byFile(policies).map(([file, points]) => {
    const covered = points.filter(({ hits }) => hits > 0).length;
    const share = points.length === 0 ? 100 : (covered / points.length) * 100;
    const text = sources.get(file)?.text.replace(/\n$/, '') ?? '';
    const lines = text.split('\n').map((line, index) => {
      const own = points.filter((point) => point.line === index + 1);
      const missing = own.filter(({ hits }) => hits === 0);
      const state = own.length === 0 ? '' : missing.length === 0 ? 'covered' : 'missing';
      const notes = missing.map((point) => escapeHtml(`${point.path}: ${missingText(point)}`));
      const note = notes.length === 0 ? '' : `<span class="note">${notes.join('<br>')}</span>`;
      return `<li class="${state}"><code>${escapeHtml(line) || ' '}</code>${note}</li>`;
    });
    const head = `<h2>${escapeHtml(file)} <small>${percentText(share)}, ${covered} of ${points.length}</small></h2>`;
    return `<section>${head}\n<ol>\n${lines.join('\n')}\n</ol></section>`;
  });
  const { covered, total, percent } = countPoints(policies);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coverage of policies: ${percentText(percent)}</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
ol { font-family: ui-monospace, monospace; font-size: 0.85rem; padding-left: 4rem; overflow-x: auto; }
code { white-space: pre; }
.covered { background: light-dark(#e6f5e9, #12351d); }
.missing { background: light-dark(#fde7e7, #451a1a); }
.note { display: block; font-family: system-ui, sans-serif; padding: 0.1rem 1rem; color: light-dark(#8a1c1c, #ffb4ab); }
small { font-weight: normal; }
</style>
</head>
<body>
<h1>Coverage of policies: ${percentText(percent)} <small>${covered} of ${total}</small></h1>
${files.join('\n')}
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
