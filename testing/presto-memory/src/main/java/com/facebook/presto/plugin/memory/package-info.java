/** What of Presto's memory connector does not fit the engine that the tests run. */
package com.facebook.presto.plugin.memory;
