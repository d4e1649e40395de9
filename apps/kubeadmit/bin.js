#!/usr/bin/env node
require('@kubeadmit/cli/dist/main.js');
