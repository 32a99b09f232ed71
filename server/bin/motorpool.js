#!/usr/bin/env node
// JavaScript that any version of Node can parse, so that one that is too old can say so.
var major = Number(process.versions.node.split('.')[0]);
import(major < 24 ? './older-node.js' : './start.js');
