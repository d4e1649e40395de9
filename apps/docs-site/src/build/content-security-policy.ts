import { createHash } from 'node:crypto';

/** Scripts that stand in a page itself, which a policy names by their sums. */
const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/**
 * Adds a content-security policy to a page: everything comes from the site itself, no code is made from text,
 * and of the scripts within the page only those run that the build put there.
 *
 * Styles may stand in the page, since coloured code and the editor write them there.
 */
export function withContentSecurityPolicy(html: string): string {
  const sums = [...html.matchAll(inlineScript)].map(([, script = '']) => sumOf(script));
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(sums)].join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html.replace(
    /<meta charset="utf-8">/i,
    (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

function sumOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}
