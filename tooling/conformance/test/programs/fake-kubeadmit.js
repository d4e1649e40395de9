#!/usr/bin/env node
// Answers like the fake oracle, but finds every expression with an x one longer than it is.
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, expression } = JSON.parse(line);
  const length = expression.length + (expression.includes('x') ? 1 : 0);
  console.log(JSON.stringify({ id, result: String(length) }));
});
