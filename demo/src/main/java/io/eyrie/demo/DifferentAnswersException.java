// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import io.eyrie.cli.console.ReportedException;

/** Thrown if two runs of one query return different answers. */
public final class DifferentAnswersException
        extends ReportedException
{
    private static final long serialVersionUID = 1;

    DifferentAnswersException(QueryRun expected, QueryRun actual)
    {
        super(actual.query() + " answers otherwise in its " + actual.run().word() + " run: checksum " + actual.rowsChecksum()
                + ", not " + expected.rowsChecksum() + " as in its " + expected.run().word() + " run");
    }
}
