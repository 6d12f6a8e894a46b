// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink.sample;

public class SampleBystander
{
    @Override
    public String toString()
    {
        return "nothing to relink here";
    }
}
