// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink.sample;

public class SampleContext
{
    public String updater()
    {
        return "the old one";
    }
}
