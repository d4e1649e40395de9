#!/usr/bin/env node
import process from 'node:process';
import { serve } from './serve.ts';

process.exit(await serve(process.argv.slice(2)));
