#!/usr/bin/env node
require('./run.cjs').run('biome')
